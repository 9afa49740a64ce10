// SPDX-License-Identifier: Apache-2.0
/* What it costs to count, by how many outcomes there are: tens as in tests, millions as on devices
 * that are ill. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "oclmm/histogram.h"

/* Seconds of processor time that so many additions take, spread over so many outcomes. */
static double measure(uint64_t outcomes, uint64_t additions)
{
	struct oclmm_histogram *histogram = oclmm_histogram_create(2);
	clock_t start = clock();

	for (uint64_t i = 0; i < additions; i++) {
		int64_t n = (int64_t)(i * 1000003 % outcomes);

		oclmm_histogram_add(histogram, (int64_t[]){n / 1000, n % 1000}, 1);
	}
	if (oclmm_histogram_rows(histogram) != outcomes)
		printf("not as many outcomes as were counted\n");
	oclmm_histogram_destroy(histogram);
	return (double)(clock() - start) / CLOCKS_PER_SEC;
}

int main(void)
{
	static const uint64_t outcomes[] = {4, 64, 1024, 65536, 2000000};
	enum { ADDITIONS = 4000000 };

	printf("| outcomes | ns per addition |\n|---|---|\n");
	for (size_t i = 0; i < OCLMM_COUNT(outcomes); i++)
		printf("| %" PRIu64 " | %.0f |\n", outcomes[i],
		       1e9 * measure(outcomes[i], ADDITIONS) / ADDITIONS);
	return 0;
}
