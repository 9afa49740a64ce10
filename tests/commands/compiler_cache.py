# SPDX-License-Identifier: Apache-2.0
"""PoCL's cache, for tests in which the program has a cache of its own: what one of them compiled is there for all."""

import os
import pathlib


def compiler_cache():
    """The variable that keeps it where it is without an XDG_CACHE_HOME of the test's own."""
    home = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return {"POCL_CACHE_DIR": os.environ.get("POCL_CACHE_DIR") or str(pathlib.Path(home) / "pocl" / "kcache")}
