# SPDX-License-Identifier: Apache-2.0
"""Tests of commands on a driver to which a layer gives what it has not: what those of each layer share."""

import common  # takes the program from the command line
from common import SuiteCase


class LayerCase(SuiteCase):
    layer = None  # the path of it

    def layered(self, layers, **environment):
        """The environment with them; the last layer is the first to be called."""
        return self.environment(OPENCL_LAYERS=":".join(layers), **environment)

    def results(self, *arguments, kind="test", above=(), status=0, **environment):
        """{test: its line}, with these layers above the one that is tested."""
        out, _ = self.run_program("run", "--format", "json", "--seed", "7", *arguments, status=status,
                                  environment=self.layered((self.layer, *above), **environment))
        return {line["test"]: line for line in self.lines_of_json(out) if line["type"] == kind}

    def pass_beside_controls(self, names, tries):
        """Each passes with confidence, by what its controls show, in one of so many instances."""
        open_yet = set(names)
        # on a busy machine a control may show too seldom: inconclusive, and tried again
        for instances in tries:
            if open_yet:
                lines = self.results("-n", instances, *sorted(open_yet), kind="confidence", status=(0, 3))
                for name, line in lines.items():
                    self.assertIn(line["verdict"], ("pass", "inconclusive"), name)
                open_yet -= {name for name, line in lines.items() if line["confidence"] == "reached"}
        self.assertEqual(open_yet, set())

    def see_plants(self, killed, plants, tries):
        """Each plant is seen by each of its tests; `plants` is the layer that plants."""
        for plant, names in killed.items():
            missed = set(names)
            # on a busy machine a queue may have been waited for by chance, once
            for instances in tries:
                if missed:
                    lines = self.results("-n", instances, *sorted(missed), above=(plants,), status=None,
                                         OCLMM_PLANT=plant)
                    missed -= {name for name, line in lines.items() if line["verdict"] == "forbidden"}
            self.assertEqual(missed, set(), plant)


main = common.unittest.main
