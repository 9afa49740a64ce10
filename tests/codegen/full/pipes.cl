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

uint take(read_only pipe uint pipe_, uint none)
{
	uint packet;

	return read_pipe(pipe_, &packet) == 0 ? packet : none;
}

kernel void P0(write_only pipe uint x_, uint base, uint offset, global uint *ran)
{
	size_t i = min(get_global_id(0) - offset, get_global_size(0) - 1);
	base ^= 0x2a9ab1e2u;
	if (i == 0)
		*ran += 1;

	uint x_packet = base + (7u);
	write_pipe(x_, &x_packet);
}

kernel void P1(read_only pipe uint x_, write_only pipe uint y_, global uint *z_, global uint *r0_out, uint base, uint offset, global uint *ran)
{
	size_t i = min(get_global_id(0) - offset, get_global_size(0) - 1);
	base ^= 0x2a9ab1e2u;
	if (i == 0)
		*ran += 1;
	uint r0_r = 0;

	r0_r = take(x_, base) - base;
	uint y_packet = base + (r0_r);
	write_pipe(y_, &y_packet);
	z_[i] = base + (r0_r);
	r0_out[i] = base + r0_r;
}

kernel void P2(read_only pipe uint y_, global uint *r0_out, uint base, uint offset, global uint *ran)
{
	size_t i = min(get_global_id(0) - offset, get_global_size(0) - 1);
	base ^= 0x2a9ab1e2u;
	if (i == 0)
		*ran += 1;
	uint r0_r = 0;

	r0_r = take(y_, base) - base;
	r0_out[i] = base + r0_r;
}
