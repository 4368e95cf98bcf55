// SPDX-License-Identifier: MIT
// A made-up system whose counters run at known rates, as a MONWRITE file: what reports and exports
// are checked with. A step is a minute; time counts from 2026-01-01 00:00:00.
#ifndef ENDICOTT_TESTS_MONITOR_SAMPLE_SYSTEM_H
#define ENDICOTT_TESTS_MONITOR_SAMPLE_SYSTEM_H

#include "sample_file.h"

// Two CPUs: each runs guests 0.3 of the time, CP for users 0.1, itself 0.05.
static inline void sample_cpu(struct sample_file *f, unsigned address, double t)
{
    uint8_t *r = sample_record(f, 0, 1);
    sample_put(r, "PFXCPUAD", address);
    sample_put(r, "PLSPRVIS", (uint64_t)(300 * t));
    sample_put(r, "PLSDIAGT", (uint64_t)(100 * t));
    sample_put(r, "PLSCTSS", (uint64_t)(40 * t));
    sample_put(r, "PLSCTRS", (uint64_t)(10 * t));
    sample_put(r, "PLSPIOPR", (uint64_t)(5 * t));
    sample_put(r, "PLSPIOPW", (uint64_t)(3 * t));
    sample_put(r, "PLSPIOSR", (uint64_t)(2 * t));
    sample_put(r, "PLSPIOSW", (uint64_t)(1 * t));
    r = sample_record(f, 0, 2);
    sample_put(r, "PFXCPUAD", address);
    sample_put(r, "PFXCPUTY", 3);
    sample_span(r, "PFXPRBTM", 0.3 * t);
    sample_span(r, "PFXUTIME", 0.4 * t);
    sample_span(r, "PFXTMSYS", 0.05 * t);
    sample_span(r, "PFXTOTWT", 0.55 * t);
    sample_span(r, "PFXSPINT", 0.01 * t);
    sample_put(r, "PFXRUNCP", (uint64_t)(1000 * t));
    sample_put(r, "CALFSTPH", (uint64_t)(250 * t));
    r = sample_record(f, 0, 4);
    sample_put(r, "PFXCPUAD", address);
    sample_put(r, "PLSMVB2G", (uint64_t)(4 * t));
    r = sample_record(f, 5, 3);
    sample_put(r, "PFXCPUAD", address);
    sample_put(r, "PFXDSPCS", (uint64_t)(1000 * t));
}

static inline void sample_global(struct sample_file *f, double t, unsigned users)
{
    uint8_t *r = sample_record(f, 0, 3);
    sample_put(r, "RSAPGABL", 1000000);
    sample_put(r, "RSAAVAIL", 100000);
    sample_put(r, "RSA2GAVL", 300000);
    sample_put(r, "RSACPLOK", 500);
    sample_put(r, "TCMMAIN", 2048);
    r = sample_record(f, 0, 7);
    sample_put(r, "RSASHARE", 777);
    r = sample_record(f, 0, 8);
    sample_put(r, "SYSUSRS", users);
    sample_put(r, "SRMCDORM", 1);
    sample_put(r, "CALUPTCT", (uint64_t)(2 * t));
    sample_span(r, "CALUPTRV", 0.1 * t); // 0.05 s each
    sample_put(r, "CALMPNCT", (uint64_t)(t / 2));
    sample_span(r, "CALMPNTR", t); // 2 s each
    r = sample_record(f, 0, 10);
    sample_put(r, "SRMCDISP", 2);
    sample_put(r, "SRMWSSDL", 5000);
    r = sample_record(f, 0, 14);
    sample_put(r, "HCPMDCPR", (uint64_t)(6 * t));
    sample_put(r, "HCPMDCIA", (uint64_t)(7 * t));
}

// A virtual CPU that has run since `on`: `share` of a CPU, of it 0.8 in the guest.
static inline void sample_user(struct sample_file *f, const char *name, unsigned cpu, double on,
                               double t, double share)
{
    double ran = t - on;
    uint8_t *r = sample_record(f, 4, 3);
    sample_text(r, "VMDUSER", name);
    sample_put(r, "VMDCPUAD", cpu);
    sample_put(r, "CALTODON", SAMPLE_START + (uint64_t)(on * (double)SAMPLE_SECOND));
    sample_span(r, "VMDTTIME", share * ran);
    sample_span(r, "VMDVTIME", 0.8 * share * ran);
    sample_put(r, "VMDVDSCT", (uint64_t)(10 * ran));
    sample_put(r, "VMDVUSCT", (uint64_t)(1 * ran));
    sample_put(r, "CALCPPGR", (uint64_t)(2 * ran));
    sample_put(r, "CALMODE", 0x40);
    sample_put(r, "VMDSLIST", 0x37);
    sample_put(r, "VMDRELSH", 100);
    sample_put(r, "VMDWSSPR", cpu ? 0 : 4096);
    sample_put(r, "ASCDEFSZ", UINT64_C(512) << 20);
    r = sample_record(f, 4, 4);
    sample_text(r, "VMDUSER", name);
    sample_put(r, "VMDCPUAD", cpu);
    sample_put(r, "HFQUCT", (uint64_t)ran);
    sample_put(r, "HFCPURN", (uint64_t)ran / 4);
    sample_put(r, "HFIOWT", (uint64_t)ran / 4);
    sample_put(r, "HFDORM", (uint64_t)ran / 2);
    sample_put(r, "HFDISP3", (uint64_t)ran / 2);
}

// 50 I/Os a second of 2 ms: 0.256 pending, 1.28 connected, 0.512 disconnected... in units of 128
// us.
static inline void sample_device(struct sample_file *f, unsigned number, const char *volume,
                                 double t)
{
    uint64_t n = (uint64_t)(50 * t);
    uint8_t *r = sample_record(f, 6, 3);
    sample_put(r, "RDEVDEV", number);
    sample_text(r, "RDEVSER", volume);
    sample_put(r, "RDEVLCNT", 3);
    sample_put(r, "SCMSSCH", n);
    sample_put(r, "SCGSSCH", n);
    sample_put(r, "SCGCOUNT", n);
    sample_put(r, "SCMFPTIM", 2 * n);
    sample_put(r, "SCMCNTIM", 10 * n);
    sample_put(r, "SCMDDTIM", 4 * n);
    sample_put(r, "RDEVRDCT", (uint64_t)(30 * t));
    sample_put(r, "RDEVWRCT", (uint64_t)(20 * t));
    sample_put(r, "RDEVMCIA", (uint64_t)(5 * t));
    sample_put(r, "HFRDEVCT", (uint64_t)t);
    sample_put(r, "HFCTIO", (uint64_t)(t / 2));
}

static inline void sample_volume(struct sample_file *f, double t)
{
    uint8_t *r = sample_record(f, 3, 4);
    sample_put(r, "RDEVDEV", 0x300);
    sample_text(r, "CALVSER", "PAGE01");
    sample_put(r, "CALPAGE", 1000);
    sample_put(r, "EXPCTACP", 250);
    sample_put(r, "CALSPOOL", 2000);
    sample_put(r, "EXPCTUSI", 100);
    sample_put(r, "EXPCTPRD", (uint64_t)(8 * t));
    sample_put(r, "EXPCTPWR", (uint64_t)(4 * t));
    sample_put(r, "SCGSSCH", (uint64_t)(3 * t));
    sample_put(r, "EXPDEVST", 350);
}

static inline void sample_network(struct sample_file *f, double t)
{
    uint8_t *r = sample_record(f, 6, 21);
    sample_text(r, "LANID", "VSW1");
    sample_text(r, "VMDUSER", "DTCVSW1");
    sample_put(r, "RDEVDEV", 0x1002);
    sample_put(r, "LANFSV", 8);
    sample_put(r, "NICTXBYT", (uint64_t)(100000 * t));
    sample_put(r, "NICTXPKT", (uint64_t)(100 * t));
    sample_put(r, "NICRXBYT", (uint64_t)(50000 * t));
    sample_put(r, "NICRXPKT", (uint64_t)(80 * t));
    r = sample_record(f, 8, 1);
    sample_text(r, "OWNER", "LINUX1");
    sample_text(r, "LANID", "VSW1");
    sample_put(r, "NICBASE", 0x600);
    sample_put(r, "VDEVDEV", 0x600);
    sample_put(r, "SESTXBYT", (uint64_t)(9000 * t));
    sample_put(r, "SESTXPKT", (uint64_t)(9 * t));
}

struct sample_what {      // what is different from the ordinary
    double cpu1_counters; // CPU 1's own time, as if varied on later; negative: it is off
    double late_logon;    // of LATE, 0: not logged on
    double again;         // LINUX1 logged on anew at
};

// All of it after `t` seconds.
static inline void sample_everything(struct sample_file *f, double t, const struct sample_what *w)
{
    sample_begin(f, t);
    sample_cpu(f, 0, t);
    if (w->cpu1_counters >= 0)
        sample_cpu(f, 1, w->cpu1_counters > 0 ? w->cpu1_counters : t);
    sample_global(f, t, w->late_logon > 0 ? 3 : 2);
    sample_volume(f, t);
    sample_user(f, "LINUX1", 0, w->again, t, 0.25);
    sample_user(f, "LINUX1", 1, w->again, t, 0.15);
    sample_user(f, "TCPIP", 0, 0, t, 0.01);
    if (w->late_logon > 0)
        sample_user(f, "LATE", 0, w->late_logon, t, 0.5);
    sample_device(f, 0x200, "VOL200", t);
    sample_device(f, 0x201, "VOL201", t);
    sample_network(f, t);
}

#endif
