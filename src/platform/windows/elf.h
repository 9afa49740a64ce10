// SPDX-License-Identifier: Apache-2.0
/* Object files of Linux, as the Tool Interface Standard describes them: what is read of them. */
#ifndef OCLMM_PLATFORM_ELF_H
#define OCLMM_PLATFORM_ELF_H

#include <stdint.h>

#define ELFMAG "\177ELF"
enum { EI_CLASS = 4, EI_NIDENT = 16, SELFMAG = 4, ELFCLASS64 = 2 };
enum { ET_DYN = 3, EM_X86_64 = 62, EM_AARCH64 = 183 };

typedef struct {
	unsigned char e_ident[EI_NIDENT];
	uint16_t e_type, e_machine;
	uint32_t e_version;
	uint64_t e_entry, e_phoff, e_shoff;
	uint32_t e_flags;
	uint16_t e_ehsize, e_phentsize, e_phnum, e_shentsize, e_shnum, e_shstrndx;
} Elf64_Ehdr;

#endif
