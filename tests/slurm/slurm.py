# SPDX-License-Identifier: Apache-2.0
"""A run as an array of jobs: on a real controller and node, with a task that is killed.

usage: slurm.py PROGRAM SOURCE-FOLDER

Exit status 77 where Slurm is not installed or does not start.
"""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
del sys.argv[1:3]
SUBMIT = SOURCE / "packaging" / "slurm" / "submit"
NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")
WAIT = 180
# Stands in for the program: shard 2 comes to nothing until it is killed, once.
SLOW = """#!/bin/sh
case "$*" in
*"--shard 2/"*)
	if mkdir "{folder}/met" 2>/dev/null; then exec sleep 1000; fi ;;
esac
exec "{program}" "$@"
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """A controller and one node, with all their files in one folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.children = []
        path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
        self.environment = {**os.environ, "PATH": path, "SLURM_CONF": str(self.folder / "slurm.conf")}

    def configure(self):
        control, node = free_ports(2)
        host = socket.gethostname().split(".")[0]
        for name in ("state", "spool", "munge"):
            (self.folder / name).mkdir(mode=0o700)
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o400)
        info = f"socket={self.folder}/munge/socket"
        (self.folder / "slurm.conf").write_text(f"""
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmdPort={node}
SlurmUser={os.environ.get('USER') or 'root'}
SlurmdUser=root
AuthType=auth/munge
AuthInfo={info}
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
ReturnToService=2
MpiDefault=none
MinJobAge=2000
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
""", encoding="utf-8")

    def start(self):
        self.configure()
        munge = self.folder / "munge"
        self.spawn("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key", f"--socket={munge}/socket",
                   f"--pid-file={munge}/pid", f"--seed-file={munge}/seed", f"--log-file={munge}/log")
        self.until(lambda: (munge / "socket").exists())
        self.spawn("slurmctld", "-D", "-c")
        self.spawn("slurmd", "-D", "-c")
        self.until(lambda: "idle" in self.call("sinfo", "-h", "-o", "%t"))

    def spawn(self, *command):
        with open(self.folder / f"{command[0]}.out", "w", encoding="utf-8") as out:
            self.children.append(subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=out,
                                                  stderr=out, start_new_session=True))

    def until(self, true):
        end = time.monotonic() + WAIT
        while not true():
            if time.monotonic() > end or any(child.poll() is not None for child in self.children):
                raise TimeoutError("Slurm did not start or did not get there")
            time.sleep(0.2)

    def call(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, timeout=60).stdout

    def stop(self):
        for child in reversed(self.children):
            child.send_signal(signal.SIGTERM)
        for child in reversed(self.children):
            try:
                child.wait(20)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def tests_of(path):
    """Which tests a results file has, how each ended, and what it was given: the same for equal seeds."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return sorted((line["test"], line["ended"], line["stimulus"]) for line in lines if line["type"] == "test")


class Slurm(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="oclmm-slurm-", ignore_cleanup_errors=True)
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.cluster = CLUSTER

    def running(self, task):
        """The numbers that Slurm has for the running jobs of a task."""
        said = self.cluster.call("squeue", "-h", "-r", "-t", "R", "-o", "%i").split()
        return [number for number in said if number.endswith(f"_{task}")]

    def test_a_task_is_killed(self):
        slow = self.folder / "oclmm"
        slow.write_text(SLOW.format(folder=self.folder, program=PROGRAM), encoding="utf-8")
        slow.chmod(0o755)
        # of several environments each has its turn by what it yielded, which is the machine's, and with it the stimulus
        options = ["SB+sc+sc", "MP+rel+acq", "LB+rlx+rlx", "CoRR", "--environment", "groups=2 lanes=4 rounds=64", "--instances", "2000",
                   "--seed", "7"]
        results = self.folder / "results"
        self.cluster.environment["OCLMM"] = str(slow)
        subprocess.run([SUBMIT, "-f", results, "-n", "3", *options], env=self.cluster.environment, cwd=SOURCE, check=True,
                       stdin=subprocess.DEVNULL, timeout=60)
        self.cluster.until((self.folder / "met").exists)
        self.cluster.until(lambda: self.running(2))
        self.cluster.call("scancel", "--signal=KILL", "--full", self.running(2)[0])
        self.cluster.until((results / "status").exists)
        self.assertIn("lost: 2; try 2 of 3", (results / "join.log").read_text(encoding="utf-8"))
        whole = self.folder / "whole.jsonl"
        subprocess.run([PROGRAM, "run", *options, "--output", whole], cwd=SOURCE, check=False, capture_output=True, timeout=300)
        self.assertEqual(tests_of(results / "all.jsonl"), tests_of(whole))
        self.assertGreater(len(tests_of(whole)), 3)


class Usage(unittest.TestCase):
    def test_refused(self):
        for wrong in (["-n", "0"], ["-n", "two"], ["-t", "-1"], ["-z"]):
            said = subprocess.run([SUBMIT, *wrong], capture_output=True, text=True, check=False)
            self.assertEqual(said.returncode, 2, wrong)
            self.assertIn("usage: packaging/slurm/submit", said.stderr)


os.environ["PATH"] += ":/usr/sbin:/sbin"
missing = [name for name in NEEDED if not shutil.which(name)]
if missing:
    print(f"not installed: {' '.join(missing)}")
    sys.exit(77)
# Before the tests: a SystemExit within one would be its failure.
with tempfile.TemporaryDirectory(prefix="oclmm-slurm-", ignore_cleanup_errors=True) as place:
    CLUSTER = Cluster(place)
    try:
        CLUSTER.start()
        status = unittest.main(verbosity=1, exit=False).result.wasSuccessful()
    except (TimeoutError, OSError) as error:
        print(f"Slurm does not start here: {error}")
        status = None
    finally:
        CLUSTER.stop()
sys.exit({True: 0, False: 1, None: 77}[status])
