// SPDX-License-Identifier: MIT
// Every reason for which a hypervisor sees a guest: one row each, with its name, its group and its
// cost in virtual time. The CPU raises the instruction rows through its door; CP raises the rest.
// CP keeps the counters (struct intercept_counter in cp/intercepts.h); INDICATE, the monitor
// records, the overhead panel and Lua read them by this table.
#ifndef ENDICOTT_CPU_INTERCEPT_H
#define ENDICOTT_CPU_INTERCEPT_H

// X(id, name, group, cost_ns): cost is what CP spends on one such event in virtual time, in
// nanoseconds. Our own estimates for a machine of about 200 MIPS, all in one place so that a
// scenario can replace them; a bare machine pays none.
#define INTERCEPTS(X)                                            \
    X(SSCH, "SSCH", IO, 12000)                                   \
    X(TSCH, "TSCH", IO, 2500)                                    \
    X(MSCH, "MSCH", IO, 2500)                                    \
    X(STSCH, "STSCH", IO, 1500)                                  \
    X(HSCH, "HSCH", IO, 3000)                                    \
    X(CSCH, "CSCH", IO, 3000)                                    \
    X(RSCH, "RSCH", IO, 3000)                                    \
    X(XSCH, "XSCH", IO, 2000)                                    \
    X(TPI, "TPI", IO, 1500)                                      \
    X(STCRW, "STCRW", IO, 1000)                                  \
    X(SCHM, "SCHM", IO, 1000)                                    \
    X(SAL, "SAL", IO, 1000)                                      \
    X(RCHP, "RCHP", IO, 1500)                                    \
    X(STCPS, "STCPS", IO, 1500)                                  \
    X(CHSC, "CHSC", IO, 3000)                                    \
    X(SIGA, "SIGA", IO, 5000)                                    \
    X(SIGP, "SIGP", PRIVILEGED, 2500)                            \
    X(SERVC, "SERVC", PRIVILEGED, 4000)                          \
    X(STSI, "STSI", PRIVILEGED, 2500)                            \
    X(STIDP, "STIDP", PRIVILEGED, 900)                           \
    X(STAP, "STAP", PRIVILEGED, 900)                             \
    X(SPX, "SPX", PRIVILEGED, 1500)                              \
    X(STPX, "STPX", PRIVILEGED, 900)                             \
    X(SCK, "SCK", PRIVILEGED, 1500)                              \
    X(PTF, "PTF", PRIVILEGED, 900)                               \
    X(PRIVOP, "other privileged", PRIVILEGED, 1200)              \
    X(DIAG, "DIAG other", DIAGNOSE, 2000)                        \
    X(DIAG_00, "DIAG 00", DIAGNOSE, 1500)                        \
    X(DIAG_08, "DIAG 08", DIAGNOSE, 15000)                       \
    X(DIAG_0C, "DIAG 0C", DIAGNOSE, 1500)                        \
    X(DIAG_10, "DIAG 10", DIAGNOSE, 2000)                        \
    X(DIAG_24, "DIAG 24", DIAGNOSE, 1500)                        \
    X(DIAG_44, "DIAG 44", DIAGNOSE, 700)                         \
    X(DIAG_9C, "DIAG 9C", DIAGNOSE, 900)                         \
    X(DIAG_DC, "DIAG DC", DIAGNOSE, 4000)                        \
    X(DIAG_NET, "DIAG 2A8", DIAGNOSE, 6000)                      \
    X(IUCV_QUERY, "IUCV QUERY", IUCV, 1500)                      \
    X(IUCV_CONNECT, "IUCV CONNECT", IUCV, 5000)                  \
    X(IUCV_ACCEPT, "IUCV ACCEPT", IUCV, 4000)                    \
    X(IUCV_SEND, "IUCV SEND", IUCV, 5000)                        \
    X(IUCV_RECEIVE, "IUCV RECEIVE", IUCV, 4000)                  \
    X(IUCV_REPLY, "IUCV REPLY", IUCV, 4000)                      \
    X(IUCV_SEVER, "IUCV SEVER", IUCV, 4000)                      \
    X(IUCV, "IUCV other", IUCV, 2500)                            \
    X(INT_EXTERNAL, "external interruption", INTERRUPTION, 2000) \
    X(INT_IO, "I/O interruption", INTERRUPTION, 4000)            \
    X(PAGE_FAULT, "page fault", PAGING, 8000)                    \
    X(WAIT, "wait state", DISPATCH, 1500)                        \
    X(DISPATCH, "dispatch", DISPATCH, 2000)                      \
    X(TIMESLICE, "time slice end", DISPATCH, 1000)               \
    X(CONSOLE, "console function", CONSOLE, 10000)

// X(id, name): the order in which panels stack them.
#define INTERCEPT_GROUPS(X)          \
    X(PRIVILEGED, "privileged")      \
    X(IO, "I/O")                     \
    X(DIAGNOSE, "DIAGNOSE")          \
    X(IUCV, "IUCV")                  \
    X(INTERRUPTION, "interruptions") \
    X(PAGING, "paging")              \
    X(CONSOLE, "console")            \
    X(DISPATCH, "dispatching")

enum intercept_group {
#define X(id, name) INTERCEPT_GROUP_##id,
    INTERCEPT_GROUPS(X)
#undef X
        INTERCEPT_GROUP_COUNT
};

enum intercept {
#define X(id, name, group, cost) INTERCEPT_##id,
    INTERCEPTS(X)
#undef X
        INTERCEPT_COUNT
};

#endif
