// SPDX-License-Identifier: Apache-2.0
/* What cannot be said in JSON as it is: drivers' bytes, counts beyond its integers. */

#include "../fixture/test.h"

#include "cli/json.h"

TEST(what_has_no_form_is_null)
{
	struct oclmm_text text = {0};
	json_t *object = json_object();

	json_put_text(object, "complaint", "caf\xe9");
	json_put_text(object, "none", NULL);
	json_put_text(object, "word", "caf\xc3\xa9");
	json_put_real(object, "unmeasured", -1);
	json_put_real(object, "half", 0.5);
	json_put_count(object, "many", UINT64_MAX);
	json_put_flag(object, "flag", true);
	json_print_line(&text, object);
	assert_string_equal(oclmm_text_string(&text),
	                    "{\"complaint\":null,\"none\":null,\"word\":\"caf\xc3\xa9\","
	                    "\"unmeasured\":null,\"half\":0.5,\"many\":9223372036854775807,"
	                    "\"flag\":true}\n");
	oclmm_text_finish(&text);
}
