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

uint take(read_only pipe uint pipe_, uint none)
{
	uint packet;

	return read_pipe(pipe_, &packet) == 0 ? packet : none;
}

kernel void P0(write_only pipe uint x_, uint base, uint offset, global uint *ran)
{
	size_t i = min(get_global_id(0) - offset, get_global_size(0) - 1);
	base ^= 0xdc3bd97eu;
	if (i == 0)
		*ran += 1;

	uint x_packet = base + (7u);
	write_pipe(x_, &x_packet);
}

kernel void P1(read_only pipe uint x_, write_only pipe uint y_, global uint *z_, global uint *r0_out, uint base, uint offset, global uint *ran)
{
	size_t i = min(get_global_id(0) - offset, get_global_size(0) - 1);
	base ^= 0xdc3bd97eu;
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
	base ^= 0xdc3bd97eu;
	if (i == 0)
		*ran += 1;
	uint r0_r = 0;

	r0_r = take(y_, base) - base;
	r0_out[i] = base + r0_r;
}
