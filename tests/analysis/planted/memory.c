// SPDX-License-Identifier: Apache-2.0
/* Its status hangs on memory that was never set, which no sanitizer of gcc sees. */
#include <stdlib.h>

int main(int argc, char **argv)
{
	int *values = malloc(4 * sizeof(*values));
	int status;

	(void)argv;
	if (!values)
		return 1;
	values[0] = argc;
	status = values[argc] == 12345 ? 3 : 0;
	free(values);
	return status;
}
