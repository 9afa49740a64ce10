# SPDX-License-Identifier: Apache-2.0
"""How long a process has computed: who waits for that waits as long as a busy machine needs."""

import os


def processor_seconds(pid):
    """Of the process and its children that have ended; 0 once it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
