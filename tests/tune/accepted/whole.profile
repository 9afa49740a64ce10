oclmm-profile 1
# a comment, and an empty line

platform     A Platform
device       Pocket GPU (rev 2)
driver       1.2
shape        WaWb-RbRa.01.g
test         MP+rlx+rlx
date         2026-01-31T12:00:00Z
seed         18446744073709551615
seconds      0.5
candidates   40
showing      13
weak         2.5e+09
weak-default 1e6
instances    4e10
environment  groups=8192 lanes=256 rounds=4 stride=2
environment	groups=3 lanes=5	rounds=7  
