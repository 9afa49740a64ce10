// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "layout.h"

/* In hundredths of an em. A character beyond ASCII may be as wide as high. */
static int letter_width(unsigned char c)
{
	if (c >= 0x80)
		return 100;
	if (strchr(" !'(),-./:;I[]fijlrt|", c))
		return 46;
	if (strchr("mwMW%@&+=<>_~^#", c))
		return 108;
	return c >= 'A' && c <= 'Z' ? 80 : 65;
}

/* Of UTF-8, the first byte of each character counts. */
static bool begins_letter(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

int text_width(const char *string, int font)
{
	int hundredths = 0;

	for (; *string; string++)
		if (begins_letter(*string))
			hundredths += letter_width((unsigned char)*string);
	return (hundredths * font * PX + 99) / 100;
}

int text_width_bold(const char *string, int font)
{
	return text_width(string, font) * 115 / 100;
}

int text_width_mono(const char *string, int font)
{
	int hundredths = 0;

	for (; *string; string++)
		if (begins_letter(*string))
			hundredths += (unsigned char)*string < 0x80 ? 61 : 100;
	return (hundredths * font * PX + 99) / 100;
}

int text_ascent(int font)
{
	return font * PX * 8 / 10;
}

int text_descent(int font)
{
	return font * PX / 4;
}
