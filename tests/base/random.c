// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <string.h>

#include "../fixture/test.h"

/* The first numbers of SplitMix64 from seed 1234567, as published with other
 * implementations of it. */
TEST(follows_splitmix64)
{
	static const uint64_t published[] = {
		UINT64_C(6457827717110365317),  UINT64_C(3203168211198807973),
		UINT64_C(9817491932198370423),  UINT64_C(4593380528125082431),
		UINT64_C(16408922859458223821),
	};
	size_t i;

	for (i = 0; i < OCLMM_COUNT(published); i++)
		assert_true(oclmm_random(1234567, i) == published[i]);
}

TEST(stays_below_and_fills)
{
	static const uint64_t bounds[] = {1, 2, 3, 7, 64, 1000};
	unsigned seen[1000];
	size_t b, i;

	for (b = 0; b < OCLMM_COUNT(bounds); b++) {
		memset(seen, 0, sizeof(seen));
		for (i = 0; i < bounds[b] * 400; i++) {
			uint64_t value = oclmm_random_below(b, i, bounds[b]);

			assert_true(value < bounds[b]);
			seen[value]++;
		}
		/* 400 expected, deviation 20: eight of them are beyond chance */
		for (i = 0; i < bounds[b]; i++)
			assert_in_range(seen[i], 240, 560);
	}
	assert_true(oclmm_random_below(9, 9, UINT64_MAX) < UINT64_MAX);
}

TEST(bits_are_balanced)
{
	unsigned ones[64] = {0};
	unsigned i, bit;

	for (i = 0; i < 10000; i++) {
		uint64_t value = oclmm_random(42, i);

		for (bit = 0; bit < 64; bit++)
			ones[bit] += (unsigned)(value >> bit) & 1;
	}
	for (bit = 0; bit < 64; bit++)
		assert_in_range(ones[bit], 4600, 5400);
}

TEST(sub_streams_differ)
{
	uint64_t keys[300];
	size_t i, k;

	/* neighbouring keys and neighbouring names must share nothing */
	for (i = 0; i < 100; i++) {
		keys[3 * i] = oclmm_random_derive(i, "stress");
		keys[3 * i + 1] = oclmm_random_derive(i, "stresS");
		keys[3 * i + 2] = oclmm_random_derive(i, "");
	}
	for (i = 0; i < OCLMM_COUNT(keys); i++) {
		for (k = 0; k < i; k++)
			assert_true(keys[i] != keys[k]);
	}
	assert_true(oclmm_random_derive(5, "a") == oclmm_random_derive(5, "a"));
}

/* Lengths and values of xxHash's own sanity check, on the bytes it generates:
 * the hash names tests in result files, so it must never change. */
TEST(hash_is_xxh3)
{
	static const struct {
		size_t length;
		uint64_t hash;
	} published[] = {
		{0, UINT64_C(0x2d06800538d394c2)},  {1, UINT64_C(0xc44bdff4074eecdb)},
		{6, UINT64_C(0x27b56a84cd2d7325)},  {12, UINT64_C(0xa713daf0dfbb77e7)},
		{24, UINT64_C(0xa3fe70bf9d3510eb)}, {48, UINT64_C(0x397da259ecba1f11)},
		{80, UINT64_C(0xbcdefbbb2c47c90a)}, {195, UINT64_C(0xcd94217ee362ec3a)},
	};
	unsigned char bytes[256];
	uint64_t generator = 2654435761u;
	size_t i;

	for (i = 0; i < sizeof(bytes); i++) {
		bytes[i] = (unsigned char)(generator >> 56);
		generator *= UINT64_C(11400714785074694797);
	}
	for (i = 0; i < OCLMM_COUNT(published); i++)
		assert_true(oclmm_hash(bytes, published[i].length) == published[i].hash);
}
