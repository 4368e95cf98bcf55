// SPDX-License-Identifier: MIT
// AF_IUCV sockets between two guests of CP:
//
//   iucv_socket server stream|packet NAME              serves one connection
//   iucv_socket client stream|packet USERID NAME BYTES
//
// The client sends bytes, in pieces of many lengths; the server sends each piece back turned around
// (stream: byte by byte complemented), and the client compares. Both print the number of bytes.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef AF_IUCV
#define AF_IUCV 32
#endif

// As <net/iucv/af_iucv.h> of the kernel has it; names are padded with blanks.
struct sockaddr_iucv {
    sa_family_t family;
    unsigned short port;
    unsigned int address;
    char node[8], user[8], name[8];
};

enum { MOST = 20000 };
static unsigned char out[MOST], in[MOST];

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void pad(char *to, const char *from)
{
    memset(to, ' ', 8);
    memcpy(to, from, strnlen(from, 8));
}

static struct sockaddr_iucv address_of(const char *user, const char *name)
{
    struct sockaddr_iucv a = {.family = AF_IUCV};
    pad(a.node, "");
    pad(a.user, user);
    pad(a.name, name);
    return a;
}

static void complement(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)~bytes[i];
}

static int serve(int type, const char *name)
{
    struct sockaddr_iucv me = address_of("", name);
    unsigned long total = 0;
    int listener = socket(AF_IUCV, type, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&me, sizeof me) || listen(listener, 5))
        fail("listen");
    int s = accept(listener, NULL, NULL);
    if (s < 0)
        fail("accept");
    for (;;) {
        ssize_t n = recv(s, in, sizeof in, 0);
        if (n <= 0)
            break;
        complement(in, (size_t)n);
        if (send(s, in, (size_t)n, MSG_EOR) != n)
            fail("send");
        total += (unsigned long)n;
    }
    printf("server bytes=%lu\n", total);
    return 0;
}

static size_t receive(int s, size_t wanted)
{
    size_t got = 0;
    while (got < wanted) {
        ssize_t n = recv(s, in + got, sizeof in - got, 0);
        if (n <= 0)
            fail("recv");
        got += (size_t)n;
    }
    return got;
}

static int ask(int type, const char *user, const char *name, unsigned long bytes)
{
    struct sockaddr_iucv to = address_of(user, name);
    unsigned long total = 0;
    uint32_t seed = 1;
    int s = socket(AF_IUCV, type, 0);
    if (s < 0 || connect(s, (struct sockaddr *)&to, sizeof to))
        fail("connect");
    while (total < bytes) {
        size_t n = 1 + seed % (seed & 0x1000 ? MOST : 100);
        for (size_t i = 0; i < n; i++)
            out[i] = (unsigned char)((seed = seed * 1664525u + 1013904223u) >> 24);
        if (send(s, out, n, MSG_EOR) != (ssize_t)n)
            fail("send");
        size_t got = receive(s, n);
        complement(out, n);
        if (got != n || memcmp(in, out, n) != 0) {
            printf("WRONG after %lu bytes\n", total);
            return 1;
        }
        total += n;
    }
    printf("client bytes=%lu ok\n", total);
    return 0;
}

int main(int argc, char **argv)
{
    int type = argc > 2 && strcmp(argv[2], "packet") == 0 ? SOCK_SEQPACKET : SOCK_STREAM;
    if (argc == 4 && strcmp(argv[1], "server") == 0)
        return serve(type, argv[3]);
    if (argc == 6 && strcmp(argv[1], "client") == 0)
        return ask(type, argv[3], argv[4], strtoul(argv[5], NULL, 10));
    fprintf(stderr, "usage: iucv_socket server stream|packet NAME\n"
                    "       iucv_socket client stream|packet USERID NAME BYTES\n");
    return 2;
}
