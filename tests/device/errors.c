// SPDX-License-Identifier: Apache-2.0

#include "../fixture/test.h"

#include <errno.h>
#include <string.h>

#include "device/device.h"

TEST(codes_have_names)
{
	assert_string_equal(oclmm_cl_error_name(CL_SUCCESS), "CL_SUCCESS");
	assert_string_equal(oclmm_cl_error_name(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES");
	assert_string_equal(oclmm_cl_error_name(-1001), "CL_PLATFORM_NOT_FOUND_KHR");
	assert_non_null(oclmm_cl_error_name(-9999));
	/* every code of the 3.0 headers between 0 and -20 and between -30 and -72 */
	for (cl_int code = 0; code >= -72; code--)
		if (code > -20 || code <= -30)
			assert_int_equal(strncmp(oclmm_cl_error_name(code), "CL_", 3), 0);
}

TEST(a_failed_call_is_named)
{
	struct oclmm_error error;

	assert_int_equal(oclmm_cl_check(&error, "clFinish", CL_SUCCESS), 0);
	assert_int_equal(oclmm_cl_check(&error, "clFinish", CL_OUT_OF_RESOURCES), -ENODEV);
	assert_string_equal(error.message, "clFinish: CL_OUT_OF_RESOURCES (-5)");
	assert_int_equal(oclmm_cl_check(&error, "clCreateBuffer", CL_OUT_OF_RESOURCES), -ENOMEM);
	assert_int_equal(oclmm_cl_check(&error, "clFinish", CL_MEM_OBJECT_ALLOCATION_FAILURE),
	                 -ENOMEM);
	assert_int_equal(oclmm_cl_check(&error, "clFlush", CL_DEVICE_NOT_AVAILABLE), -ENODEV);
	assert_int_equal(oclmm_cl_check(&error, "clFinish", CL_INVALID_VALUE), -EIO);
}

TEST(devices_are_chosen)
{
	struct oclmm_device_info infos[] = {
		{.platform = "Old",
	         .name = "one point two",
	         .type = CL_DEVICE_TYPE_GPU,
	         .major = 1},
		{.platform = "Portable",
	         .name = "pthread",
	         .version = "OpenCL 3.0 PoCL, not Fast",
	         .type = CL_DEVICE_TYPE_CPU,
	         .major = 3},
		{.platform = "Vendor", .name = "Fast GPU", .type = CL_DEVICE_TYPE_GPU, .major = 3},
	};
	struct oclmm_device_list list = {.devices = infos, .count = 3}, none = {0};
	struct oclmm_error error;

	assert_int_equal(oclmm_device_choose(&list, NULL, &error), 2);
	assert_int_equal(oclmm_device_choose(&list, "", &error), 2);
	assert_int_equal(oclmm_device_choose(&list, "1", &error), 1);
	assert_int_equal(oclmm_device_choose(&list, "PORTABLE", &error), 1);
	assert_int_equal(oclmm_device_choose(&list, "fast", &error), 2);
	assert_int_equal(oclmm_device_choose(&list, "pocl", &error), 1);
	list.count = 2;
	assert_int_equal(oclmm_device_choose(&list, NULL, &error), 1);
	assert_int_equal(oclmm_device_choose(&list, "2", &error), -1);
	assert_int_equal(oclmm_device_choose(&list, "nothing", &error), -1);
	assert_non_null(strstr(error.note, "pthread"));
	assert_int_equal(oclmm_device_choose(&none, NULL, &error), -1);
	assert_string_equal(error.message, "no OpenCL device found");
}
