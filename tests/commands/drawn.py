# SPDX-License-Identifier: Apache-2.0
"""Some of many cases that are alike and take their time."""

import os
import random


def draws_all():
    """Whether all cases are asked for."""
    return os.environ.get("OCLMM_DRAW") == "all"


def drawn(cases, count):
    """So many of them, in their order, and all of them where OCLMM_DRAW is `all`.

    By a seed that stays the same unless OCLMM_DRAW is another, so that a test fails for what was changed and not for
    what was drawn."""
    cases = list(cases)
    if draws_all() or count >= len(cases):
        return cases
    return [cases[i] for i in sorted(random.Random(os.environ.get("OCLMM_DRAW", "1")).sample(range(len(cases)), count))]
