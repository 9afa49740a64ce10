// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

int cycle_refuse(struct oclmm_error *error, const struct oclmm_position *at, const char *note,
                 const char *format, ...)
{
	va_list arguments;

	if (!error)
		return -EINVAL;
	*error = (struct oclmm_error){0};
	va_start(arguments, format);
	vsnprintf(error->message, sizeof(error->message), format, arguments);
	va_end(arguments);
	if (note)
		snprintf(error->note, sizeof(error->note), "%s", note);
	if (at)
		error->position = *at;
	return -EINVAL;
}
