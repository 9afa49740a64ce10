#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that `oclmm export` writes: short, without a warning, run alone.

export.py OCLMM LAYER: a test of each family, and some more drawn by OCLMM_DRAW_SEED, are compiled
and run on the first device; none may show what is forbidden. Under a plant, which the layer puts
below the file, the same file has to show it.
"""

import ast
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

SUITE = Path(__file__).resolve().parents[2] / "litmus"
LINES = 200
LAUNCHES = "3"
DRAWN = 6
# Files that end PoCL's compiler: in an exported program it has no process of its own.
CRASHES = {words[2].strip() for words in (line.split("|") for line in (SUITE / "known-failures").read_text().splitlines())
           if len(words) > 3 and words[3].strip() == "crash"}
# Planted bugs, and a test of each that shows it at once.
# Orders, fences, barriers, updates, values. PoCL makes the same code of all scopes, so that a plant in scopes
# shows on no file there.
PLANTS = [
    ("returns-new", "fetch_sub+values"),
    ("rmw-split", "add+add"),
    ("sc-to-acq-rel", "SB+sc+sc"),
    ("fence-removed", "SB+fence-sc+fence-sc"),
    ("barrier-removed", "MP+barrier"),
]
# And in calls, for which the layer needs no texts.
CALLS = [("wait-list-ignored", "event+queues"), ("event-early", "two-events+host")]
# The same in command buffers. Nothing makes sure that the commands overlap there: the file goes on until they do.
RECORDED = [("sync-point-ignored", "recorded"),
            ("sync-point-ignored", "recorded+transfers.writer=kernel.reader=kernel"),
            ("replay-list-ignored", "replays.command=kernel"), ("replay-queue-kept", "replay+queue")]
# Kernels that work-items enqueue, and what the file ends with where a device has queues for them.
CHILDREN = [("MP+child", 0), ("children+chain", 0), ("children+event.list=none", 1)]
# Functions that all work-items of a group call, and what a device says that has none. Under the plant each work-item
# has its own value: the driver's text calls nothing.
GROUPS = [("values+collective", "no collective functions of work-groups", (1,)),
          ("values+collective.group=sg", "no sub-groups", (1, 77))]
# What a device need not have: types, functions, kinds of memory.
LACKING = [("fetch_min+float.type=half", "cl_khr_fp16|such atomics of half"), ("fetch_min+float", "such atomics of float"),
           ("add64+add64", "cl_khr_int64_base_atomics"), ("add+add+generic-local.op=cas", "generic address space"),
           ("LB+barrier+image", "images that a kernel reads and writes")]
# Tests of a text that work-items share, and of sub-buffers.
WHOLE = ["straight+global", "for+local.shape=256"]
SUB_BUFFERS = "sub-buffers"
# Why a test is refused: each sentence, and tests that are refused so.
REFUSED = {
    "a thread of the host uses an object that is no int and no long": None,
    "its commands use an object that is not an int": None,
    "its commands use an image": "event+image",
    "its external memory comes from another API": "external",
    "its kernels are given addresses of buffers": "address",
    "its kernels find pointers in other memory": "indirect",
    "its memory is of a type of cl_khr_unified_svm": "event+unified-svm",
    "an object is not a buffer": None,
    "an object is a half": None,
}
# Said of a line of its litmus file, of what no device is given.
NOT_RUN = re.compile(r"(?:.*/)?([^/]+)\.litmus:[0-9]+:[0-9]+: error: .* cannot be run on a device")
SENTENCE = re.compile(rf"error: (\S+): not exported: ({'|'.join(REFUSED)})")
OF_EACH_FAMILY = 4


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=800, check=False, **options)


class Exporter:
    def __init__(self, oclmm, folder):
        self.oclmm, self.folder = oclmm, folder

    def names(self, *options):
        found = run([self.oclmm, "list", *options])
        return found.stdout.split() if found.returncode == 0 else []

    def harmless(self, *options):
        return [name for name in self.names(*options) if name.split(".", 1)[0] not in CRASHES]

    def export(self, name, environment=None):
        """The path of the file, or None where it is refused by name."""
        written = run(
            [self.oclmm, "export", "--no-search", "--output", self.folder, name],
            env=environment,
        )
        if written.returncode == 2 and SENTENCE.fullmatch(written.stderr.strip()):
            return None
        assert written.returncode == 0, f"{name}: {written.stderr}"
        return Path(written.stdout.strip())

    def build(self, path):
        binary = path.with_suffix(".run")
        built = run(
            ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", str(path), "-lOpenCL", "-o", str(binary)]
        )
        assert built.returncode == 0, f"{path.name}: {built.stderr}"
        return binary


def check_alone(exporter, name):
    """Returns whether it ran."""
    path = exporter.export(name)
    if not path:
        return False
    ran = run([str(exporter.build(path)), "", LAUNCHES])
    # 2: the device's compiler refuses what the test needs; then it says so
    assert ran.returncode in (0, 1, 2, 77), f"{name}: ended with {ran.returncode}: {ran.stderr}"
    if ran.returncode == 1:
        assert "the specification allows" in path.read_text() or "differ" in path.read_text() or \
            "does not say" in path.read_text(), f"{name}: {ran.stdout}"
    if ran.returncode in (2, 77):
        assert ran.stderr.strip(), f"{name}: says nothing"
    return ran.returncode in (0, 1)


def check_families(exporter):
    chooser = random.Random(int(os.environ.get("OCLMM_DRAW_SEED", "1")))
    families = [line.split()[0] for line in run([exporter.oclmm, "list", "--family", "list"]).stdout.splitlines()]
    ran, chosen = 0, []
    for family in families:
        names = exporter.harmless("--family", family)
        if names:
            chosen.append(chooser.choice(names))
    chosen += chooser.sample(exporter.harmless("--profile", "default"), DRAWN)
    for name in chosen:
        ran += check_alone(exporter, name)
    assert ran * 2 > len(chosen), f"only {ran} of {len(chosen)} ran"


def by_family(names):
    """{family: names}, by the folders of the suite."""
    family_of = {path.stem: path.parent.name for path in SUITE.glob("*/*.litmus")}
    families = {}
    for name in sorted(names):
        # `3.SB+rlx+rlx+rlx.order=sc`: a file's name may have dots of its own
        words = name.split(".")
        stem = next(".".join(words[:i]) for i in range(1, len(words) + 1) if ".".join(words[:i]) in family_of)
        families.setdefault(family_of[stem], []).append(name)
    return families


def check_all(exporter):
    """Each test of the default profile is written, or refused with a sentence; what is written is short, and some of each
    family are what a C compiler takes."""
    chooser = random.Random(int(os.environ.get("OCLMM_DRAW_SEED", "1")))
    names = set(exporter.names("--profile", "default"))
    folder = Path(exporter.folder) / "all"
    folder.mkdir()
    written = run([exporter.oclmm, "export", "--no-search", "--output", str(folder), *sorted(names)])
    paths = {Path(line).stem: Path(line) for line in written.stdout.splitlines()}
    refused = set()
    for line in written.stderr.splitlines():
        said, of_file = SENTENCE.fullmatch(line), NOT_RUN.fullmatch(line)
        if said:
            refused.add(said[1])
        elif of_file:
            refused |= {name for name in names if name.split(".", 1)[0] == of_file[1] and name not in paths}
        else:
            # below an error in a file it shows where that is
            assert line.startswith(" "), f"no reason that is known: {line}"
    assert not paths.keys() & refused and paths.keys() | refused == names, names ^ (paths.keys() | refused)
    assert written.returncode == (2 if refused else 0), written.returncode
    assert len(paths) > 20 * len(refused), f"{len(refused)} of {len(names)} are refused"
    longer = [name for name, path in paths.items() if len(path.read_text().splitlines()) > LINES]
    assert len(longer) * 500 < len(paths), longer
    compiled = []
    for some in by_family(paths).values():
        compiled += [str(paths[name]) for name in chooser.sample(some, min(len(some), OF_EACH_FAMILY))]
    # two maps of one object
    compiled.append(str(paths["map+map"]))
    assert len(compiled) > 50, compiled
    built = run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *compiled])
    assert built.returncode == 0, built.stderr


HALVES = """
static unsigned char seen[0x10000];

int main(void)
{
	for (unsigned bits = 0; bits < 0x10000; bits++) {
		unsigned short from = (unsigned short)bits;
		long long told = value_half(from);
		_Float16 half;
		float value;

		memcpy(&half, &from, 2);
		value = (float)half;
		if (value >= -2048 && value <= 2048 && value == (float)(int)value && bits != 0x8000
		        ? whole(from) != (long long)value || told != whole(from) : whole(from) > -70000)
			return printf("%x\\n", bits), 1;
		if (told < -0x8000 || told > 0x7fff || seen[told + 0x8000]++)
			return printf("%x, which is told as another is\\n", bits), 1;
	}
	return 0;
}
"""


def check_halves(exporter):
    """The host knows the whole numbers to 2048 among all values of a half, which it tells apart, and begins with those
    of the test."""
    path = exporter.export("fetch_add+float.type=half")
    text = path.read_text()
    function = text[text.index("static long long whole("):]
    own = Path(exporter.folder) / "halves.c"
    last = function.index("\n}\n", function.index("static long long value_half(")) + 3
    own.write_text("#include <stdio.h>\n#include <string.h>\ntypedef unsigned short cl_half;\ntypedef short cl_short;\n"
                   + function[:last] + HALVES)
    binary = own.with_suffix("")
    built = run(["cc", str(own), "-o", str(binary)])
    if "_Float16" in built.stderr:
        return  # a compiler that has no halves
    assert built.returncode == 0, built.stderr
    ran = run([str(binary)])
    assert ran.returncode == 0, f"wrong value of the half {ran.stdout}"
    initial = re.findall(r"= 0x([0-9a-f]{4}) /\* (-?[0-9]+) \*/", text)
    assert initial, text
    for bits, value in initial:
        assert struct.unpack("<e", bytes.fromhex(bits)[::-1])[0] == int(value), (bits, value)


def check_planted(exporter, layer, plant, name):
    environment = dict(os.environ, OPENCL_LAYERS=layer, OCLMM_PLANT=plant)
    path = exporter.export(name, environment)
    texts = path.with_suffix(".planted") if path else None
    assert path and texts.exists(), f"{plant}: nothing is planted into {name}"
    binary = exporter.build(path)
    environment["OCLMM_PLANT_TEXTS"] = str(texts)
    # one command: it goes on until it has seen it, for a minute
    planted = run([str(binary)], env=environment)
    assert planted.returncode == 1, f"{plant}, {name}: {planted.returncode}: {planted.stdout}{planted.stderr}"
    assert "*>" in planted.stdout and "seen: " in planted.stdout, planted.stdout
    alone = run([str(binary), "", LAUNCHES])
    assert alone.returncode == 0, f"{name} without {plant}: {alone.stdout}{alone.stderr}"
    del environment["OCLMM_PLANT_TEXTS"]
    unplanted = run([str(binary), "", LAUNCHES], env=environment)
    assert unplanted.returncode == 0, f"{name}: the layer changes a text that it was not given"


def check_calls(exporter, layer, plant, name):
    binary = exporter.build(exporter.export(name))
    environment = dict(os.environ, OPENCL_LAYERS=layer, OCLMM_PLANT=plant)
    # it goes on until it has seen it, for a minute: a busy machine may run in turn what nothing orders
    planted = run([str(binary)], env=environment)
    assert planted.returncode == 1, f"{plant}, {name}: {planted.stdout}{planted.stderr}"
    alone = run([str(binary), "", "50"])
    assert alone.returncode == 0, f"{name} without {plant}: {alone.stdout}{alone.stderr}"


def check_recorded(exporter, layer, plant, name):
    """Command buffers, where the device has them."""
    binary = exporter.build(exporter.export(name))
    alone = run([str(binary), "", "20"])
    if alone.returncode == 77:
        assert "cl_khr_command_buffer" in alone.stderr or "CommandBuffer" in alone.stderr, alone.stderr
        return
    assert alone.returncode == 0, f"{name} without {plant}: {alone.stdout}{alone.stderr}"
    environment = dict(os.environ, OPENCL_LAYERS=layer, OCLMM_PLANT=plant)
    planted = run([str(binary)], env=environment)
    assert planted.returncode == 1, f"{plant}, {name}: {planted.stdout}{planted.stderr}"


def check_sync_points(exporter):
    """What waits for nothing in a command buffer comes too early: the lag before the first command is recorded, too."""
    for name in "recorded.edge=none", "recorded+transfers.edge=none", "recorded+barrier.edge=kernel":
        ran = run([str(exporter.build(exporter.export(name)))])
        assert ran.returncode in (1, 77), f"{name}: {ran.stdout}{ran.stderr}"


def check_pipes(exporter):
    """A device without pipes says so; one that has them keeps their order."""
    ran = run([str(exporter.build(exporter.export("pipe"))), "", LAUNCHES])
    assert ran.returncode == 0 or (ran.returncode == 77 and "no pipes" in ran.stderr), ran.stdout + ran.stderr


def kernels_of(path):
    """The text of OpenCL C in a file."""
    string = path.read_text().split("source[] =\n")[1].split("\";\n")[0] + '"'
    return "".join(ast.literal_eval(line.strip()) for line in string.splitlines())


def check_children(exporter):
    """A device without queues of its own says so before anything is built; where there are some, children come in order.
    What no device builds here a compiler reads."""
    for name, seen in CHILDREN:
        path = exporter.export(name)
        ran = run([str(exporter.build(path)), "", "20"])
        assert ran.returncode == seen or (ran.returncode == 77 and "no queues of its own" in ran.stderr), ran.stdout + ran.stderr
        text = kernels_of(path)
        assert "enqueue_kernel(get_default_queue()" in text and "CL_QUEUE_ON_DEVICE_DEFAULT" in path.read_text()
        assert compiles(text) in (None, True), f"{name}: no OpenCL C"
        assert compiles(text.replace("n, i); }", "n); }", 1)) in (None, False), "the compiler takes anything"


def check_groups(exporter, layer):
    """A device without these functions is told from one that gets them wrong."""
    environment = dict(os.environ, OPENCL_LAYERS=layer, OCLMM_PLANT="collective-alone")
    for name, lacking, planted in GROUPS:
        path = exporter.export(name, environment)
        binary = exporter.build(path)
        alone = run([str(binary), "", LAUNCHES])
        assert alone.returncode == 0 or (alone.returncode == 77 and lacking in alone.stderr), alone.stdout + alone.stderr
        texts = str(path.with_suffix(".planted"))
        ran = run([str(binary), "", LAUNCHES], env=dict(environment, OCLMM_PLANT_TEXTS=texts))
        assert ran.returncode in planted, ran.stdout + ran.stderr
        # what is refused for another reason is a failure, not a lack, on a device that lacks them, too; it says so by the functions that it names
        broken = path.with_name("broken.c")
        text = re.sub(r"(CL_DEVICE_MAX_NUM_SUB_GROUPS|CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT) \*/", r"\1 */ + (1 << 30)", path.read_text())
        text = text.replace("has = 1; /* before", "has = 0; /* before")
        for at, said, status in (("", "", 2), ("values_of_sub_group_and_work_group_", lacking, 77)):
            broken.write_text(re.sub(r'(source\[\] =\n\t*)"', rf'\1"#error {at}\\n"\n"', text, count=1))
            ran = run([str(exporter.build(broken)), "", LAUNCHES])
            assert ran.returncode == status and said in ran.stderr, ran.stdout + ran.stderr


def check_lacking(exporter):
    """A device that need not have what the test uses, and has it not, is told from one that fails."""
    for name, lacking in LACKING:
        path = exporter.export(name)
        ran = run([str(exporter.build(path)), "", LAUNCHES])
        assert ran.returncode == 0 or (ran.returncode == 77 and re.search(f"the device has no ({lacking})$", ran.stderr)), \
            f"{name}: {ran.returncode}: {ran.stdout}{ran.stderr}"


def compiles(kernels):
    """Whether clang takes the kernels; None without one."""
    if not shutil.which("clang"):
        return None
    return run(["clang", "-x", "cl", "-cl-std=CL2.0", "-Xclang", "-finclude-default-header", "-target", "spir64",
                "-fsyntax-only", "-"], input=kernels).returncode == 0


def check_module(exporter):
    """The variant in SPIR-V: without the module the file says so, and a device that takes none, too."""
    written = run([exporter.oclmm, "export", "--il", "--no-search", "--output", exporter.folder, "SB+sc+sc"])
    if "no toolchain for SPIR-V" in written.stderr:
        return
    assert written.returncode == 0, written.stderr
    path = Path(exporter.folder) / "SB+sc+sc.c"
    ran = run([str(exporter.build(path)), "", LAUNCHES], cwd=exporter.folder)
    assert ran.returncode == 0 or (ran.returncode == 77 and "takes no SPIR-V" in ran.stderr), ran.stdout + ran.stderr
    path.with_suffix(".spv").unlink()
    ran = run([str(path.with_suffix(".run")), "", LAUNCHES], cwd=exporter.folder)
    assert ran.returncode == 2 and ran.stderr == "cannot read SB+sc+sc.spv\n", ran.stderr


KERNEL = """// oclmm: --global 4 --local 2 --arg x=0 --arg out=-1,0,0,0 --arg n=5 --ask 'x == %s'
kernel void count(global atomic_int *x, global int *out, int n)
{
	out[get_global_id(0)] = n;
	atomic_fetch_add_explicit(x, STEP, memory_order_relaxed, memory_scope_device);
}
"""
# What a kernel is not exported for, by a change of the one above.
NO_KERNELS = {
    "it is undefined, so that no end is a device's fault": ("out[get_global_id(0)]", "out[0]"),
    "nothing is asked: --ask 'x\\[0\\] == 3'": (" --ask 'x == 4'", ""),
    "a variable at program scope keeps its value": ("kernel void", "global int kept = 1;\nkernel void"),
    "it is compiled with -cl-fast-relaxed-math, which": ("--global", "--build=-cl-fast-relaxed-math --global"),
}


def check_kernels(exporter):
    """A kernel of somebody's own: its text, its launch, and each end that is not allowed counts."""
    path = Path(exporter.folder) / "own kernel.cl"
    path.write_text(KERNEL % 4)
    command = [exporter.oclmm, "export", "--build=-DSTEP=1"]
    written = run([*command, str(path)], cwd=exporter.folder)
    if written.returncode == 77:
        return  # nothing that compiles kernels
    assert written.returncode == 0 and written.stdout == "own kernel.c\n", written.stderr
    file = path.with_suffix(".c")
    assert "allows this end and nothing else: x=4;" in file.read_text() and "cc -std=c11 'own kernel'.c" in file.read_text()
    ran = run([str(exporter.build(file)), "", LAUNCHES])
    assert ran.returncode == 0 and ran.stdout.splitlines()[1:] == ["           3 :> x=4;", "not seen: 0 of 3"], ran.stdout
    # a long one is written as it is
    path.write_text((KERNEL % 4).replace("{\n", "{\n" + "\n" * 200))
    written = run([*command, str(path)], cwd=exporter.folder)
    assert written.returncode == 0 and len(file.read_text().splitlines()) > LINES, written.stderr
    assert run([str(exporter.build(file)), "", LAUNCHES]).returncode == 0
    path.write_text(KERNEL % 4)
    assert run([*command, str(path)], cwd=exporter.folder).returncode == 0
    # a driver that adds twice
    file.write_text(file.read_text().replace("#define STEP 1", "#define STEP 2"))
    ran = run([str(exporter.build(file))])
    assert ran.returncode == 1 and "100 *> x=8;" in ran.stdout, ran.stdout
    for sentence, (old, new) in NO_KERNELS.items():
        changed = (KERNEL % 4).replace(old, new)
        assert changed != KERNEL % 4
        path.write_text(changed)
        file.unlink(missing_ok=True)
        refused = run([*command, str(path)], cwd=exporter.folder)
        assert refused.returncode == 2 and re.search(f"not exported: {sentence}", refused.stderr), refused.stderr
        assert not file.exists(), f"{sentence}: a file is left"
    for more in (["--il"], ["--outcome", "0:r0=1"], ["--device", "x"], ["--arg", "x=1", "SB+sc+sc"]):
        refused = run([exporter.oclmm, "export", *more, *([] if more[-1] == "SB+sc+sc" else [str(path)])])
        assert refused.returncode == 2 and "kernel" in refused.stderr, refused.stderr


def check_stop(exporter):
    """With a number of launches that many take place, and without one a file that has seen enough ends."""
    path = exporter.export("SB+rlx+rlx")
    text = path.read_text()
    assert "ENOUGH = 100" in text and "SECONDS = 60" in text
    # every outcome counts
    path.write_text(text.replace("static int counts(const long long *v)\n{", "static int counts(const long long *v)\n{\n\tif (v)\n\t\treturn 1;"))
    binary = exporter.build(path)
    for arguments, launches in (["", "3"], 3), ([], 1):
        ran = run([str(binary), *arguments])
        of = int(ran.stdout.split()[-1])
        assert ran.returncode == 1 and of >= launches and (arguments or of <= 4096), ran.stdout


def check_whole(exporter):
    """Work-items that share a text play whole work-groups, and a wrong value is seen."""
    for name in WHOLE:
        path = exporter.export(name)
        ran = run([str(exporter.build(path)), "", LAUNCHES])
        assert ran.returncode == 0 and "not seen: 0 of " in ran.stdout, f"{name}: {ran.stdout}{ran.stderr}"
        head = re.sub(r"\n \* ", " ", path.read_text())
        assert "So each order of the work-items ends with " in head, f"{name}: no rule"
    # one that no control of branches can miss: what each work-item stores is one more
    text = path.read_text()
    wrong = text.replace(" + 1;\\n", " + 2;\\n", 1)
    assert wrong != text, f"{path.name} has another text"
    path.write_text(wrong)
    ran = run([str(exporter.build(path)), "", LAUNCHES])
    assert ran.returncode == 1 and "*>" in ran.stdout, ran.stdout


def check_sub_buffers(exporter):
    path = exporter.export(SUB_BUFFERS)
    assert "clCreateSubBuffer" in path.read_text()
    ran = run([str(exporter.build(path)), "", "4"])
    assert ran.returncode == 0, ran.stdout + ran.stderr
    # a command that waits for nobody comes too early: it is seen
    path = exporter.export(SUB_BUFFERS + ".edge=none")
    ran = run([str(exporter.build(path)), "", "12"])
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr


def check_given_memory(exporter):
    """What the host gives for a buffer shows the object when a map is complete, and not before."""
    path = exporter.export("map+map.memory=given")
    assert "CL_MEM_USE_HOST_PTR, SIZE, x_given" in path.read_text()
    ran = run([str(exporter.build(path)), "", "4"])
    assert ran.returncode == 0, ran.stdout + ran.stderr
    # a copy of it shows nothing
    text = path.read_text()
    path.write_text(text.replace("CL_MEM_USE_HOST_PTR", "CL_MEM_COPY_HOST_PTR"))
    ran = run([str(exporter.build(path)), "", "4"])
    assert ran.returncode == 1, ran.stdout + ran.stderr


def check_buffers_over_memory(exporter):
    """A map of the buffer shows the pointer what was written by the buffer: a buffer that is a copy does not."""
    for name in "buffer+map", "buffer+host":
        path = exporter.export(name)
        text = path.read_text()
        assert "CL_MEM_USE_HOST_PTR, SIZE, x_mem" in text
        ran = run([str(exporter.build(path)), "", "4"])
        assert ran.returncode == 0, ran.stdout + ran.stderr
        path.write_text(text.replace("CL_MEM_USE_HOST_PTR", "CL_MEM_COPY_HOST_PTR"))
        ran = run([str(exporter.build(path)), "", "4"])
        assert ran.returncode == 1, ran.stdout + ran.stderr


def check_artifacts(exporter, layer):
    """The folder of a failure has the file, the environments that failed, and what the layer needs."""
    environment = dict(os.environ, OPENCL_LAYERS=layer, OCLMM_PLANT="returns-new")
    folder = Path(exporter.folder) / "artifacts"
    ran = run([exporter.oclmm, "run", "-n", "1e5", "--no-profile", "--artifacts", str(folder), "fetch_sub+values"],
              env=environment)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    path = folder / "fetch_sub+values" / "test.c"
    text = path.read_text()
    assert "It failed on " in text and 'getenv("OPENCL_DEVICE")' in text
    assert 'wanted ? wanted : ""' not in text, "it does not look for the device that failed"
    # the file's own words: how it is called, what it asks, how often it was seen
    flat = re.sub(r"\n \* ?", " ", text)
    assert "cc -std=c11 test.c -lOpenCL" in text, text[:800]
    question = re.search(r'"(.*)"', (SUITE / "values" / "fetch_sub+values.litmus").read_text())[1]
    assert question in flat, text[:800]
    assert f'"{question}"' in (path.parent / "fetch_sub+values.litmus").read_text()
    assert re.search(r"driver .*: [1-9][0-9]* of [0-9]+ instances", flat), text[:1500]
    count = int(text.split("ENVIRONMENTS = ")[1].split()[0])
    assert count > 5, f"no environments that failed, {count} in all"
    environment["OCLMM_PLANT_TEXTS"] = str(path.with_suffix(".planted"))
    planted = run([str(exporter.build(path))], env=environment)
    assert planted.returncode == 1, planted.stdout + planted.stderr


def check_search(exporter, layer):
    """The file of the search is smaller, and still shows it."""
    environment = dict(os.environ, OPENCL_LAYERS=layer, OCLMM_PLANT="returns-new")
    stem = Path(exporter.folder) / "least"
    # a busy machine may need longer for the last steps
    for seconds in "25", "100", "300":
        written = run([exporter.oclmm, "export", "--seconds", seconds, "--output", f"{stem}.c", "add+add"], env=environment)
        assert written.returncode == 0 and ": seen on " in written.stderr, written.stderr
        path = Path(f"{stem}.c")
        text = path.read_text()
        least = "ENVIRONMENTS = 1" in text and "scratch" not in text and "{1, 1, 1, " in text
        if least:
            break
    assert "With this stress it was seen on" in text and least, f"it is not the least stress: {text[:2000]}"
    environment["OCLMM_PLANT_TEXTS"] = f"{stem}.planted"
    planted = run([str(exporter.build(path))], env=environment)
    assert planted.returncode == 1, planted.stdout + planted.stderr


def check_compiler(exporter):
    """CC is a program's name, its path, or several words; a name that nothing has is told of as it stands."""
    folder = Path(exporter.folder) / "two words"
    folder.mkdir()
    heard = folder / "heard"
    # what is asked of a compiler, and that it was asked: it ends badly, so the search ends there
    own = folder / "own cc"
    own.write_text(f'#!/bin/sh\nfor word; do echo "$word"; done >{str(heard)!r}\necho mine >&2\nexit 1\n')
    own.chmod(0o755)
    link = Path(exporter.folder) / "own-cc"
    link.symlink_to(own)

    def asked(compiler):
        heard.unlink(missing_ok=True)
        written = run([exporter.oclmm, "export", "--output", str(folder / "asked.c"), "add+add"],
                      env=dict(os.environ, CC=compiler))
        assert written.returncode == 0, written.stderr
        return heard.read_text().split("\n") if heard.exists() else [], written.stderr

    for compiler, first in ((str(own), []), (str(link), []), (f"{link} -g", ["-g"]),
                            (f"  {link}\t-DA  '-DB=1 2' ", ["-DA", "-DB=1 2"]), (f"'{own}' -g", ["-g"])):
        words, said = asked(compiler)
        assert words[:len(first) + 1] == [*first, "-std=c11"] and "mine" in said, f"CC={compiler}: {words}, {said}"
    for compiler, name in (("no-such-compiler -g", "no-such-compiler"), (f"'{folder}/none' -g", f"{folder}/none")):
        words, said = asked(compiler)
        assert not words and f"cannot execute {name}:" in said, f"CC={compiler}: {said}"
    # without a word in it, it is as if there were none
    assert all("cannot execute cc:" in asked_without_path(exporter, compiler) for compiler in ("", "  "))


def asked_without_path(exporter, compiler):
    return run([exporter.oclmm, "export", "--output", f"{exporter.folder}/asked.c", "add+add"],
               env=dict(os.environ, CC=compiler, PATH="/nowhere")).stderr


def check_texts(exporter, layer):
    """A file of texts that is cut short is refused, and not half of it taken."""
    path = Path(exporter.folder) / "cut.planted"
    path.write_text("0123456789abcdef 1 100\nshort")
    environment = dict(os.environ, OPENCL_LAYERS=layer, OCLMM_PLANT="rmw-split",
                       OCLMM_PLANT_TEXTS=str(path))
    binary = exporter.build(exporter.export("add+add"))
    ran = run([str(binary), "", LAUNCHES], env=environment)
    assert ran.returncode == 0 and "cannot read the texts" in ran.stderr, ran.stderr


def check_words(exporter):
    """What nothing is exported for."""
    refused = run([exporter.oclmm, "export"])
    assert refused.returncode == 2 and "name a test" in refused.stderr
    refused = run([exporter.oclmm, "export", "MP*"])
    assert refused.returncode == 2 and "tests match" in refused.stderr
    # a file with variants is the newcomer's: what to write is said, and is taken
    made = run([exporter.oclmm, "new", "own"], cwd=exporter.folder)
    assert made.returncode == 0, made.stderr
    refused = run([exporter.oclmm, "export", "own.litmus"], cwd=exporter.folder)
    assert refused.stderr == ("oclmm export: 2 tests match; name one, such as own.litmus:own, or a folder with "
                              "--output\n"), refused.stderr
    named = run([exporter.oclmm, "export", "--no-search", "own.litmus:own"], cwd=exporter.folder)
    assert named.returncode == 0 and named.stdout == "own.c\n", named.stderr
    refused = run([exporter.oclmm, "export", "--producer", "x", "MP+rel+acq"])
    assert refused.returncode == 2
    for sentence, name in REFUSED.items():
        if name:
            refused = run([exporter.oclmm, "export", "--no-search", name], cwd=exporter.folder)
            assert refused.returncode == 2, f"{name}: {refused.stdout}"
            assert re.fullmatch(f"error: {re.escape(name)}: not exported: {sentence}\n", refused.stderr), refused.stderr
            assert not (Path(exporter.folder) / f"{name}.c").exists(), f"{name} left a file"
    asked = run([exporter.oclmm, "export", "--no-search", "--output", "-", "--outcome",
                 "1:r0=0 /\\ 1:r1=0", "MP+rel+acq"])
    assert asked.returncode == 0 and "sometimes: the specification allows it" in asked.stdout


def main():
    oclmm, layer = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        exporter = Exporter(oclmm, folder)
        check_words(exporter)
        check_compiler(exporter)
        check_halves(exporter)
        check_all(exporter)
        for plant, name in PLANTS:
            check_planted(exporter, layer, plant, name)
        for plant, name in CALLS:
            check_calls(exporter, layer, plant, name)
        for plant, name in RECORDED:
            check_recorded(exporter, layer, plant, name)
        check_sync_points(exporter)
        check_pipes(exporter)
        check_children(exporter)
        check_groups(exporter, layer)
        check_lacking(exporter)
        check_kernels(exporter)
        check_module(exporter)
        check_stop(exporter)
        check_whole(exporter)
        check_sub_buffers(exporter)
        check_given_memory(exporter)
        check_buffers_over_memory(exporter)
        check_artifacts(exporter, layer)
        check_search(exporter, layer)
        check_texts(exporter, layer)
        check_families(exporter)


if __name__ == "__main__":
    main()
