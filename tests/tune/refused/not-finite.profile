oclmm-profile 1
# written by oclmm tune; oclmm run takes these environments in turn
platform     A Platform
device       Pocket GPU (rev 2)
driver       1.2
# shape: accesses by thread, its work-groups, spaces of the objects
shape        WaWb-RbRa.01.g
# test: that was run to find it
test         MP+rlx+rlx
date         2026-01-31T12:00:00Z
seed         18446744073709551615
# seconds: that the search took
seconds      0.5
# candidates: environments that were tried
candidates   40
# showing: of them, showed a weak outcome
showing      13
# weak: outcomes per second in the environments below
weak         2e999
# weak-default: the same in the default environments
weak-default 1e+06
# instances: per second in the environments below
instances    4e+10
environment  groups=8192 lanes=256 rounds=4 stride=2
environment  groups=3 lanes=5 rounds=7
