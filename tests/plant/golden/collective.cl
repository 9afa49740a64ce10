kernel void collective(global int *y)
{
	const int a = work_group_any(get_local_id(0) == 0u ? 1 : 0) != 0;
	const int b = sub_group_reduce_min (y[get_global_id(0)]);
	int work_group_all = 3;
	const int place = get_group_id(0) + get_num_groups(0) * get_group_id(1) + get_num_groups(2);
	*y = a + b + work_group_all + place;
}
