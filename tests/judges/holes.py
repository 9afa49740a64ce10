# SPDX-License-Identifier: Apache-2.0
"""usage: holes.py JUDGE_HOLES LITMUS-FOLDER MAP...

What judge_holes says of a profile of one test, worked out by hand: where a fence stands before an
access, store buffering shows that the load lost its order and hides it of the store; where it
stands behind, the other way round; where both have both, it hides both.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SHOWN = {  # of SB+sc+sc: who shows that the load is an acquire, and the store a release
    'power-leading': (True, False),
    'power-trailing': (False, True),
    'power-both': (False, False),
    'x86-leading': (True, False),
    'x86-trailing': (False, True),
    'ptx': (True, False),
    'rc11': (True, True),
    'opencl': (True, True),
}


def holes(program, folder, arguments, maps):
    """The exit status, the holes without a line, and the lines of no hole."""
    (folder / 'arguments').write_text(arguments)
    run = subprocess.run([program, folder, 'one', folder / 'arguments', *maps], text=True,
                         capture_output=True, check=False)
    found = re.findall(r'no line for the hole: (.*?) \| (.*?) \| (\S+) ', run.stderr)
    return run.returncode, found, re.findall(r'line (\d+) is of no hole', run.stderr)


def main():
    program, litmus, *maps = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'seq-cst').mkdir()
        (folder / 'profiles').mkdir()
        shutil.copy(pathlib.Path(litmus) / 'seq-cst/SB+sc+sc.litmus', folder / 'seq-cst')
        (folder / 'profiles/one').write_text('SB+sc+sc\n')
        status, found, _ = holes(program, folder, '', maps)
        assert status == 1, status
        for machine, (load, store) in SHOWN.items():
            for side, shown in (('load seq_cst', load), ('store seq_cst', store)):
                hole = (side, 'type=int', machine) in found
                same = machine == 'x86-trailing' and side == 'load seq_cst'
                same |= machine == 'x86-leading' and side == 'store seq_cst'
                assert hole == (not shown and not same), (side, machine, hole)
        # what is argued is no complaint, and an argument for what is shown is one
        status, found, unused = holes(
            program, folder, '* | * | * | all of them\n'
            'load seq_cst | type=int | opencl | of nothing\n', maps)
        assert (status, found, unused) == (1, [], ['2']), (status, found, unused)
        assert holes(program, folder, '* | * | * | all of them\n', maps) == (0, [], [])
        for line in ('* | * | no argument', '* | * | * | open: there could be a test'):
            status, found, _ = holes(program, folder, line + '\n', maps)
            assert status == 1 and found, (line, status)


if __name__ == '__main__':
    main()
