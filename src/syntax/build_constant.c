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

/* `2.0f`: a whole number, exact as every sum of such. */
static int build_floating(const struct builder *builder, const struct syntax_token *at,
                          bool negative, enum oclmm_type *ret_type, int64_t *ret_value)
{
	size_t whole = strcspn(at->text, "."), zeros = strspn(at->text + whole + 1, "0");
	const char *suffix = at->text + whole + 1 + zeros;
	int64_t magnitude;

	if (build_extension(builder, at))
		return -EINVAL;
	if (isdigit((unsigned char)*suffix))
		return REFUSE(builder, at, "take whole numbers: their sums are exact in any order",
		              "`%.40s` is no whole number", at->text);
	*ret_type = tolower((unsigned char)*suffix) == 'f'   ? OCLMM_TYPE_FLOAT
	            : tolower((unsigned char)*suffix) == 'h' ? OCLMM_TYPE_HALF
	                                                     : OCLMM_TYPE_DOUBLE;
	errno = 0;
	magnitude = strtoll(at->text, NULL, 10);
	if (errno || (uint64_t)magnitude > oclmm_type_greatest(*ret_type))
		return REFUSE(builder, at, NULL,
		              "`%.40s` is beyond the whole numbers that are exact", at->text);
	if (negative && magnitude == 0)
		return REFUSE(builder, at, "write 0.0, to which it is equal",
		              "a zero has no sign here");
	*ret_value = negative ? -magnitude : magnitude;
	return 0;
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
	if (strchr(at->text, '.'))
		return build_floating(builder, at, negative, ret_type, ret_value);
	if (build_check_number(builder, at, negative))
		return -EINVAL;
	if (!hexadecimal && at->text[0] == '0' && isdigit((unsigned char)at->text[1]))
		return REFUSE(builder, at, "write it in decimal, or in hexadecimal with `0x`",
		              "octal numbers are outside the format");
	errno = 0;
	magnitude = strtoull(at->text, &end, hexadecimal ? 16 : 10);
	if (errno == ERANGE)
		return REFUSE(builder, at, NULL, "`%.40s` does not fit into 64 bits", at->text);
	if (!parse_suffix(end, &suffix))
		return REFUSE(builder, at, "after a number there may be `u`, `l` or `ul`",
		              "`%.40s` is not a number", at->text);
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
	struct oclmm_text text = {0};
	int result;

	oclmm_value_print(&text, from, value);
	result = REFUSE(builder, at, note, "%s is not a value of type %s", oclmm_text_string(&text),
	                oclmm_type_name(to));
	oclmm_text_finish(&text);
	return result;
}

/* Conversions may lose something where floating-point types come in: only constants have them. */
static int check_kind(const struct builder *builder, const struct syntax_token *at,
                      const struct oclmm_expression *value, enum oclmm_type type)
{
	bool floating = oclmm_type_is_floating(type),
	     constant = value->kind == OCLMM_EXPRESSION_CONSTANT;

	if (value->type == type || (!floating && !oclmm_type_is_floating(value->type)) ||
	    (floating && constant))
		return 0;
	return REFUSE(builder, at, "take one type for all of it",
	              "a conversion from %s to %s is outside the format",
	              oclmm_type_name(value->type), oclmm_type_name(type));
}

int build_check_fits(const struct builder *builder, const struct syntax_token *at,
                     struct oclmm_expression *value, enum oclmm_type type)
{
	if (check_kind(builder, at, value, type))
		return -EINVAL;
	/* each integer becomes true or false */
	if (value->kind != OCLMM_EXPRESSION_CONSTANT || type == OCLMM_TYPE_BOOL)
		return 0;
	if (!oclmm_value_fits(value->type, value->constant, type))
		return refuse_value(builder, at,
		                    oclmm_type_is_floating(type) ? NULL : "a cast converts it",
		                    value->type, value->constant, type);
	if (oclmm_type_is_floating(type))
		value->type = type;
	return 0;
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
	if (oclmm_type_is_floating(from) && !oclmm_type_is_floating(type))
		return REFUSE(builder, at, "drop the point", "a value of type %s is no %s",
		              oclmm_type_name(type), oclmm_type_name(from));
	if (!oclmm_value_fits(from, value, type))
		return refuse_value(builder, at, NULL, from, value, type);
	*ret_value = value;
	return 0;
}

uint32_t build_count_values(const struct tree_constant *values)
{
	uint32_t count = 0;

	for (; values; values = values->next)
		count++;
	return count;
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
