// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct suffix {
	bool is_unsigned, is_long;
};

static bool parse_suffix(const char *text, struct suffix *ret_suffix)
{
	struct suffix suffix = {0};

	for (; *text; text++) {
		bool *flag = tolower((unsigned char)*text) == 'u' ? &suffix.is_unsigned
		                                                  : &suffix.is_long;

		if (*flag)
			return false;
		*flag = true;
	}
	*ret_suffix = suffix;
	return true;
}

/* The first type of C's list that holds the number (C99 6.4.4.1; long has 64
 * bits in OpenCL C, C:6.3.1). */
static enum oclmm_type type_of(uint64_t magnitude, struct suffix suffix, bool hexadecimal)
{
	if (!suffix.is_unsigned && !suffix.is_long && magnitude <= INT32_MAX)
		return OCLMM_TYPE_INT;
	if (!suffix.is_long && magnitude <= UINT32_MAX && (suffix.is_unsigned || hexadecimal))
		return OCLMM_TYPE_UINT;
	/* one more for the sake of -9223372036854775808 */
	if (!suffix.is_unsigned && magnitude <= (uint64_t)INT64_MAX + !hexadecimal)
		return OCLMM_TYPE_LONG;
	return OCLMM_TYPE_ULONG;
}

int build_number(const struct builder *builder, const struct syntax_token *at, bool negative,
                 enum oclmm_type *ret_type, int64_t *ret_value)
{
	bool hexadecimal = at->text[0] == '0' && tolower((unsigned char)at->text[1]) == 'x';
	struct suffix suffix;
	enum oclmm_type type;
	uint64_t magnitude;
	char *end;

	/* C:6.3.1 has them for 1 and 0 */
	if (isalpha((unsigned char)at->text[0])) {
		*ret_type = OCLMM_TYPE_INT;
		*ret_value = strcmp(at->text, "true") == 0 ? (negative ? -1 : 1) : 0;
		return 0;
	}
	if (build_check_number(builder, at, negative))
		return -EINVAL;
	if (!hexadecimal && at->text[0] == '0' && isdigit((unsigned char)at->text[1]))
		return REFUSE(builder, at, "drop the leading zeros",
		              "octal numbers are outside the format");
	errno = 0;
	magnitude = strtoull(at->text, &end, hexadecimal ? 16 : 10);
	if (errno == ERANGE)
		return REFUSE(builder, at, NULL, "`%.40s` does not fit into 64 bits", at->text);
	if (!parse_suffix(end, &suffix))
		return REFUSE(builder, at, NULL, "`%.40s` is not a number", at->text);
	type = type_of(magnitude, suffix, hexadecimal);
	if (type == OCLMM_TYPE_ULONG && !suffix.is_unsigned && !hexadecimal)
		return REFUSE(builder, at, "write it as unsigned: append `ul`",
		              "`%.40s` does not fit its type long", at->text);
	if (type == OCLMM_TYPE_LONG && magnitude > INT64_MAX && !negative)
		return REFUSE(builder, at, "write it as unsigned: append `ul`",
		              "`%.40s` does not fit its type long", at->text);
	*ret_type = type;
	*ret_value = oclmm_value_wrap(type, (int64_t)(negative ? 0 - magnitude : magnitude));
	return 0;
}

static int refuse_value(const struct builder *builder, const struct syntax_token *at,
                        const char *note, enum oclmm_type from, int64_t value, enum oclmm_type to)
{
	struct oclmm_text text;
	int result;

	oclmm_text_init(&text);
	oclmm_value_print(&text, from, value);
	result = REFUSE(builder, at, note, "%s is not a value of type %s", oclmm_text_string(&text),
	                oclmm_type_name(to));
	oclmm_text_finish(&text);
	return result;
}

int build_check_fits(const struct builder *builder, const struct syntax_token *at,
                     const struct oclmm_expression *value, enum oclmm_type type)
{
	/* each value becomes true or false */
	if (value->kind != OCLMM_EXPRESSION_CONSTANT || type == OCLMM_TYPE_BOOL ||
	    oclmm_value_fits(value->type, value->constant, type))
		return 0;
	return refuse_value(builder, at, "a cast converts it", value->type, value->constant, type);
}

static bool read_decimal(const char *text, int64_t *ret_value)
{
	unsigned long long value;
	char *end;

	if (text[0] == '0' && text[1])
		return false;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end)
		return false;
	*ret_value = (int64_t)value;
	return true;
}

int build_constant(const struct builder *builder, const struct tree_constant *constant,
                   enum oclmm_type type, int64_t *ret_value)
{
	enum oclmm_type from = OCLMM_TYPE_INT;
	int64_t value = 0;
	const struct syntax_token *at = constant->minus ? constant->minus : constant->at;
	int result;

	/* initial and final values have the type of their object, not one of their own */
	if (oclmm_type_greatest(type) > INT64_MAX && !constant->minus &&
	    read_decimal(constant->at->text, ret_value))
		return 0;
	result = build_number(builder, constant->at, constant->minus != NULL, &from, &value);

	if (result)
		return result;
	if (!oclmm_value_fits(from, value, type))
		return refuse_value(builder, at, NULL, from, value, type);
	*ret_value = value;
	return 0;
}

int build_count(const struct builder *builder, const struct syntax_token *at, uint32_t most,
                uint32_t *ret_count)
{
	enum oclmm_type type = OCLMM_TYPE_INT;
	int64_t value = 0;
	int result = build_number(builder, at, false, &type, &value);

	if (result)
		return result;
	if ((uint64_t)value > most)
		return REFUSE(builder, at, NULL, "%.40s is more than %" PRIu32, at->text, most);
	*ret_count = (uint32_t)value;
	return 0;
}
