// SPDX-License-Identifier: Apache-2.0
/* Sockets join a process and one that it starts: pipes of the system, which carry both ways. */
#ifndef OCLMM_PLATFORM_SYS_SOCKET_H
#define OCLMM_PLATFORM_SYS_SOCKET_H

#include <sys/types.h>

enum { AF_UNIX = 1, SOCK_STREAM = 1, SOCK_CLOEXEC = 0x80000 };
enum { MSG_NOSIGNAL = 1, MSG_DONTWAIT = 2, SHUT_RDWR = 2 };

int socketpair(int domain, int type, int protocol, int *ret_files);
ssize_t send(int socket, const void *bytes, size_t size, int flags);
ssize_t recv(int socket, void *bytes, size_t size, int flags);
int shutdown(int socket, int how);

#endif
