// SPDX-License-Identifier: Apache-2.0
/* Plants in the calls by which the host waits, and in what waits for the host. */
#include "layer.h"

/* ---- calls that block ------------------------------------------------------ */

static cl_int do_not_block(struct command *command)
{
	if (command->blocking)
		layer_note(LAYER_CALL, 1);
	command->blocking = CL_FALSE;
	return command_send(command);
}

/* ---- events ------------------------------------------------------------------ */

/* Sent they are, as the call says. */
static cl_int CL_API_CALL wait_for(cl_uint count, const cl_event *list)
{
	for (cl_uint i = 0; i < count; i++) {
		cl_command_queue queue = layer_queue_of(list[i]);

		if (queue)
			layer_real->clFlush(queue);
	}
	layer_note(LAYER_CALL, 1);
	return CL_SUCCESS;
}

static cl_int CL_API_CALL set_callback(cl_event event, cl_int status,
                                       void(CL_CALLBACK *call)(cl_event, cl_int, void *),
                                       void *data)
{
	if (!call)
		return layer_real->clSetEventCallback(event, status, call, data);
	layer_note(LAYER_CALL, 1);
	call(event, status, data);
	return CL_SUCCESS;
}

static cl_event CL_API_CALL create_user_event(cl_context context, cl_int *code)
{
	cl_event event = layer_real->clCreateUserEvent(context, code);

	if (event) {
		layer_note(LAYER_CALL, 1);
		layer_real->clSetUserEventStatus(event, CL_COMPLETE);
	}
	return event;
}

/* The first time it was set here. */
static cl_int CL_API_CALL set_user_event(cl_event event, cl_int status)
{
	(void)event;
	(void)status;
	return CL_SUCCESS;
}

void waits_init(struct _cl_icd_dispatch *layer)
{
	switch (layer_plant.bug) {
	case PLANT_BLOCKING_IGNORED: commands_init(layer, COMMANDS_THAT_BLOCK, do_not_block); break;
	case PLANT_WAIT_EARLY: layer->clWaitForEvents = wait_for; break;
	case PLANT_CALLBACK_EARLY: layer->clSetEventCallback = set_callback; break;
	case PLANT_USER_EVENT_EARLY:
		layer->clCreateUserEvent = create_user_event;
		layer->clSetUserEventStatus = set_user_event;
		break;
	default: break;
	}
}
