kernel void set_cells(global uint *cells, uint value)
{
	cells[get_global_id(0)] = value;
}

kernel void lag(global uint *end, uint steps)
{
	uint number = steps;

	for (uint i = 0; i < steps; i++)
		number = number * 1664525u + i;
	*end = number;
}

kernel void gather(global const uint *w0, global const uint *w1, global const uint *w2, global const uint *w3, global const uint *w4, global const uint *w5, global const uint *w6, global const uint *w7, global const uint *w8, global const uint *w9, global const uint *w10, global const uint *w11, global const uint *w12, global const uint *w13, global const uint *w14, global const uint *w15, global uint *words, uint first)
{
	words[first + 0u] = *w0;
	words[first + 1u] = *w1;
	words[first + 2u] = *w2;
	words[first + 3u] = *w3;
	words[first + 4u] = *w4;
	words[first + 5u] = *w5;
	words[first + 6u] = *w6;
	words[first + 7u] = *w7;
	words[first + 8u] = *w8;
	words[first + 9u] = *w9;
	words[first + 10u] = *w10;
	words[first + 11u] = *w11;
	words[first + 12u] = *w12;
	words[first + 13u] = *w13;
	words[first + 14u] = *w14;
	words[first + 15u] = *w15;
}

kernel void P0(global uint *x_, global uint *y_, uint base, uint offset, global uint *ran)
{
	size_t i = min(get_global_id(0) - offset, get_global_size(0) - 1);
	base ^= 0x36e8b052u;
	if (i == 0)
		*ran += 1;

	x_[i] = base + (1u);
	y_[i] = base + (1u);
}

kernel void P1(global const ulong *at_x, global const ulong *at_y, global uint *r_, global uint *r0_out, uint base, uint offset, global uint *ran)
{
	size_t i = min(get_global_id(0) - offset, get_global_size(0) - 1);
	global uint *x_ = (global uint *)(uintptr_t)*at_x;
	global uint *y_ = (global uint *)(uintptr_t)*at_y;
	base ^= 0x36e8b052u;
	if (i == 0)
		*ran += 1;
	uint r0_r = 0;

	r_[i] = base + (x_[i] - base);
	r0_r = y_[i] - base;
	r0_out[i] = base + r0_r;
}
