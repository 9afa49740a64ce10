// SPDX-License-Identifier: Apache-2.0
/* Which device is meant: by the words of a user, or as another process knew it. */
#include "internal.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words of a user ---- */

static int rank(const struct oclmm_device_info *info)
{
	int by_type = info->type & CL_DEVICE_TYPE_GPU           ? 3
	              : info->type & CL_DEVICE_TYPE_ACCELERATOR ? 2
	                                                        : 1;

	/* a device without C11 atomics is of use only when nothing else is there */
	return info->major >= 2 ? by_type + 3 : by_type;
}

static int refuse(const struct oclmm_device_list *list, const char *wanted,
                  struct oclmm_error *error)
{
	struct oclmm_text note = {0};
	const char *missing;
	bool broken;

	if (list->count == 0) {
		missing = oclmm_opencl_missing(&broken);
		oclmm_error_set(error, -ENODEV, "no OpenCL device found%s%s", missing ? ": " : "",
		                missing ? missing : "");
		return -1;
	}
	oclmm_error_set(error, -ENODEV, "no device matches '%s'", wanted);
	oclmm_text_add(&note, "there are:");
	for (size_t i = 0; i < list->count; i++)
		oclmm_text_printf(&note, "%s %zu: %s (%s)", i ? "," : "", i, list->devices[i].name,
		                  list->devices[i].platform);
	strncpy(error->note, oclmm_text_string(&note), sizeof(error->note) - 1);
	oclmm_text_finish(&note);
	return -1;
}

static bool is_number(const char *text)
{
	for (; *text; text++)
		if (!isdigit((unsigned char)*text))
			return false;
	return true;
}

static int best(const struct oclmm_device_list *list)
{
	int found = -1;

	for (size_t i = 0; i < list->count; i++)
		if (found < 0 || rank(&list->devices[i]) > rank(&list->devices[found]))
			found = (int)i;
	return found;
}

int oclmm_device_choose(const struct oclmm_device_list *list, const char *wanted,
                        struct oclmm_error *error)
{
	if (!wanted || !*wanted) {
		int found = best(list);

		return found >= 0 ? found : refuse(list, "", error);
	}
	if (is_number(wanted)) {
		unsigned long index = strtoul(wanted, NULL, 10);

		/* those behind it have other numbers than on a machine where all devices work */
		if (*list->left_out.message && index >= list->left_out_at) {
			oclmm_error_set(error, -ENODEV,
			                "device %zu cannot be asked, so no number from there on "
			                "is sure; name the device",
			                list->left_out_at);
			return -1;
		}
		return index < list->count ? (int)index : refuse(list, wanted, error);
	}
	for (size_t i = 0; i < list->count; i++)
		if (strcasestr(list->devices[i].name, wanted) ||
		    strcasestr(list->devices[i].platform, wanted))
			return (int)i;
	/* "PoCL" stands nowhere else */
	for (size_t i = 0; i < list->count; i++)
		if (strcasestr(list->devices[i].version, wanted))
			return (int)i;
	return refuse(list, wanted, error);
}

/* ---- for other processes ---- */

/* CL/cl_ext.h: cl_khr_device_uuid and cl_khr_pci_bus_info. */
#define DEVICE_UUID_KHR         0x106A
#define DEVICE_PCI_BUS_INFO_KHR 0x410F
#define UUID_SIZE               16

struct pci_bus_info {
	cl_uint domain, bus, device, function;
};

static bool is_zero(const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

/* Drivers that do not know a query say so, or give zeros. */
static bool find_uuid(cl_device_id id, char *text, size_t size)
{
	unsigned char uuid[UUID_SIZE] = {0};
	int length;

	if (clGetDeviceInfo(id, DEVICE_UUID_KHR, sizeof(uuid), uuid, NULL) != CL_SUCCESS ||
	    is_zero(uuid, sizeof(uuid)))
		return false;
	length = snprintf(text, size, "uuid-");
	for (size_t i = 0; i < sizeof(uuid); i++)
		length += snprintf(text + length, size - (size_t)length, "%02x", uuid[i]);
	return true;
}

static bool find_pci(cl_device_id id, char *text, size_t size)
{
	struct pci_bus_info pci = {0};

	if (clGetDeviceInfo(id, DEVICE_PCI_BUS_INFO_KHR, sizeof(pci), &pci, NULL) != CL_SUCCESS ||
	    is_zero((const unsigned char *)&pci, sizeof(pci)))
		return false;
	snprintf(text, size, "pci-%04x-%02x-%02x-%x", pci.domain, pci.bus, pci.device,
	         pci.function);
	return true;
}

/* Without what a process may be given more or less of: processors, memory. */
static uint64_t hash_claims(const struct oclmm_device_info *info)
{
	struct oclmm_text text = {0};
	uint64_t hash;

	oclmm_text_printf(&text, "%s\n%s\n%s\n", info->version, info->c_version, info->il_version);
	oclmm_text_printf(&text, "%" PRIx64 " %" PRIx64 " %" PRIx64 " %x %x %x",
	                  (uint64_t)info->memory_capabilities, (uint64_t)info->fence_capabilities,
	                  (uint64_t)info->svm_capabilities, info->orders_claimed,
	                  info->fence_orders_claimed, info->scopes_claimed);
	oclmm_text_printf(&text, " %d%d%d%d%d%d%d%d%d%d %d", info->compiler, info->int64_atomics,
	                  info->fp16, info->fp64, info->sub_groups, info->collectives,
	                  info->unordered_queues, info->device_enqueue, info->generic_address_space,
	                  info->pipes, info->program_scope > 0);
	for (int i = 0; i < OCLMM_FLOAT_TYPES; i++)
		oclmm_text_printf(&text, " %x", info->float_atomics[i]);
	hash = oclmm_hash(oclmm_text_string(&text), text.length);
	oclmm_text_finish(&text);
	return hash;
}

/* How many of the first `end` devices look the same as this one. */
static unsigned count_alike(const struct oclmm_device_list *list, size_t index, size_t end)
{
	const struct oclmm_device_info *info = &list->devices[index];
	unsigned count = 0;

	for (size_t i = 0; i < end; i++)
		count += strcmp(list->devices[i].name, info->name) == 0 &&
		         strcmp(list->devices[i].platform, info->platform) == 0;
	return count;
}

void oclmm_device_identify(const struct oclmm_device_list *list, size_t index,
                           struct oclmm_device_identity *ret_identity)
{
	const struct oclmm_device_info *info = &list->devices[index];
	cl_device_id id = list->ids[index];
	struct oclmm_device_identity identity = {.claims = hash_claims(info)};
	unsigned alike = count_alike(list, index, index);

	snprintf(identity.text, sizeof(identity.text), "%s/%s/%s/%u", info->platform, info->name,
	         info->driver, alike);
	/* the same hardware may be on two platforms: the lock is the hardware's where it has a
	 * name */
	if (find_uuid(id, identity.id, sizeof(identity.id)) ||
	    find_pci(id, identity.id, sizeof(identity.id))) {
		snprintf(identity.file, sizeof(identity.file), "device-%s", identity.id);
	} else {
		snprintf(identity.file, sizeof(identity.file), "device-%016llx",
		         (unsigned long long)oclmm_hash(identity.text, strlen(identity.text)));
		if (count_alike(list, index, list->count) > 1)
			snprintf(identity.id, sizeof(identity.id), "alike-%u", alike);
	}
	*ret_identity = identity;
}
