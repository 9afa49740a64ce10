// SPDX-License-Identifier: Apache-2.0
kernel void set(global int *x)
{
	x[get_global_id(0)] = 1;
}
