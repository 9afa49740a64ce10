// SPDX-License-Identifier: Apache-2.0
#include "bandit.h"

#include <math.h>

/*
 * Both bounds are count · exp(y) with exp(y) - 1 - y = level / count: one
 * solution above 0 and one below. Bisection, because it cannot leave the bracket.
 */
enum { STEPS = 44 };

static double excess(double y)
{
	return expm1(y) - y;
}

/* Between `near`, where the excess is below the goal, and `far`, where it is not. */
static double solve(double near, double far, double goal)
{
	for (int i = 0; i < STEPS; i++) {
		double middle = (near + far) / 2;

		if (excess(middle) < goal)
			near = middle;
		else
			far = middle;
	}
	return far;
}

double tune_mean_upper(double count, double level)
{
	/* exp(y) - 1 - y is at least exp(y) / 2 - 1/2 from y = 2 on */
	return count > 0 ? count * exp(solve(0, 2 + log1p(2 * level / count), level / count))
	                 : level;
}

double tune_mean_lower(double count, double level)
{
	/* exp(y) - 1 - y is at least -y - 1 */
	return count > 0 ? count * exp(solve(0, -level / count - 1, level / count)) : 0;
}
