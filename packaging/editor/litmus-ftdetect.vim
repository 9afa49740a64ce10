" SPDX-License-Identifier: Apache-2.0
autocmd BufNewFile,BufRead *.litmus if getline(1) =~# '^\s*OPENCL\>' | setfiletype litmus | endif
