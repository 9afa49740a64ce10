// SPDX-License-Identifier: Apache-2.0
#include "utf8.h"

size_t utf8_decode(const char *text, uint32_t *ret_character)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *at = (const unsigned char *)text;
	size_t length = at[0] < 0x80 ? 1 : at[0] >> 5 == 6 ? 2 : at[0] >> 4 == 14 ? 3 : 4;
	uint32_t character = length == 1 ? at[0] : at[0] & (0x7fu >> length);

	if (at[0] >= 0xf8 || (at[0] & 0xc0) == 0x80)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (at[i] & 0x3f);
	}
	if (character < least[length] || (character >= 0xd800 && character < 0xe000) ||
	    character >= 0x110000)
		return 0;
	*ret_character = character;
	return length;
}

bool utf8_is_seen(uint32_t c)
{
	if (c < 0x20)
		return c == '\t';
	return !(c >= 0x7f && c < 0xa0) && !(c >= 0x200b && c <= 0x200f) &&
	       !(c >= 0x2028 && c <= 0x202e) && !(c >= 0x2060 && c <= 0x206f) && c != 0x61c &&
	       c != 0xfeff && !(c >= 0xe0000 && c < 0xe0080);
}
