// SPDX-License-Identifier: MIT
// What each report shows: blocks of columns over the expressions of report_expression.h. Headings
// follow the Performance Toolkit's where they are known; a column whose source is not in the
// records of our level is there and stays empty.
#include "monitor/report.h"

#define COLUMNS(a) a, sizeof(a) / sizeof(a)[0]
#define NUMBER     FORMAT_NUMBER
#define TEXT       FORMAT_TEXT

// clang-format off

// Busy: user time, in which emulation is, and system time. Wait is measured too, so that shares are
// of the time that was measured.
static const struct report_column cpu[] = {
    {{"", "PROC"},    4, 0, FORMAT_HEX,      "PFXCPUAD"},
    {{"", "TYPE"},    5, 0, FORMAT_CPU_TYPE, "PFXCPUTY"},
    {{"", "%CPU"},    6, 1, NUMBER, "100 * (d(PFXUTIME) + d(PFXTMSYS)) / t"},
    {{"", "%CP"},     6, 1, NUMBER, "100 * (d(PFXUTIME) + d(PFXTMSYS) - d(PFXPRBTM)) / t"},
    {{"", "%EMU"},    6, 1, NUMBER, "100 * d(PFXPRBTM) / t"},
    {{"", "%WT"},     6, 1, NUMBER, "100 * d(PFXTOTWT) / t"},
    {{"", "%SYS"},    6, 1, NUMBER, "100 * d(PFXTMSYS) / t"},
    {{"", "%SP"},     6, 1, NUMBER, "100 * d(PFXSPINT) / t"},
    {{"", "%SIC"},    6, 1, NUMBER, "100 * d(D0R1.PLSPRVIS) / (d(D0R1.PLSPRVIS) + d(D0R1.PLSDIAGT))"},
    {{"", "%LOGLD"},  6, 1, NUMBER, "100 * (d(PFXUTIME) + d(PFXTMSYS)) / (d(PFXUTIME) + d(PFXTMSYS) + d(PFXTOTWT))"},
};
static const struct report_column queues[] = {
    {{"Trivial transactions", "/s"},         9, 2, NUMBER, "(d(CALMPTCT) + d(CALUPTCT)) / T"},
    {{"  mean time", "s"},                   9, 3, NUMBER, "(d(CALMPTRV) + d(CALUPTRV)) / (d(CALMPTCT) + d(CALUPTCT))"},
    {{"Non-trivial transactions", "/s"},     9, 2, NUMBER, "(d(CALMPNCT) + d(CALUPNCT)) / T"},
    {{"  mean time", "s"},                   9, 3, NUMBER, "(d(CALMPNTR) + d(CALUPNTR)) / (d(CALMPNCT) + d(CALUPNCT))"},
    {{"QUICKDSP transactions", "/s"},        9, 2, NUMBER, "d(CALQDNCT) / T"},
    {{"Page reads", "/s"},                   9, 1, NUMBER, "d(D0R1.PLSPIOPR) / T"},
    {{"Page writes", "/s"},                  9, 1, NUMBER, "d(D0R1.PLSPIOPW) / T"},
    {{"Real I/O (SSCH + RSCH)", "/s"},       9, 1, NUMBER, "(d(D0R1.PLSCTSS) + d(D0R1.PLSCTRS)) / T"},
    {{"Virtual I/O", "/s"},                  9, 1, NUMBER, "(d(D4R3.VMDVCSCT) + d(D4R3.VMDVDSCT) + d(D4R3.VMDVUSCT) + d(D4R3.VMDVTSCT) + d(D4R3.VMDVOSCT)) / T"},
    {{"I/O avoided by minidisk cache", "/s"},9, 1, NUMBER, "d(D6R3.RDEVMCIA) / T"},
};

static const struct report_column storage[] = {
    {{"Total real storage", "MB"},          12, 0, NUMBER, "c(D1R7.RSAGSTOR) / 1048576"},
    {{"Total available", "frames"},         12, 0, NUMBER, "v(RSAAVAIL) + v(RSA2GAVL)"},
    {{"Offline storage", "MB"},             12, 0, NUMBER, "c(D1R7.RSAGOFFL) / 1048576"},
    {{"SXS size", "pages"},                 12, 0, NUMBER, "c(D1R7.SXSSIZE)"},
    {{"CP resident nucleus", "frames"},     12, 0, NUMBER, "c(D1R7.RSANONPG)"},
    {{"Trace table", "pages"},              12, 0, NUMBER, "c(D1R7.SYSTRAC)"},
    {{"Pageable storage", "frames"},        12, 0, NUMBER, "v(RSAPGABL)"},
    {{"Storage in use", "%"},               12, 1, NUMBER, "100 * (1 - (v(RSAAVAIL) + v(RSA2GAVL)) / v(RSAPGABL))"},
    {{"Shared storage", "pages"},           12, 0, NUMBER, "v(D0R7.RSASHARE)"},
    {{"Locked by CP", "frames"},            12, 0, NUMBER, "v(RSACPLOK) + v(RSACPLKG)"},
    {{"Free storage extends", "frames"},    12, 0, NUMBER, "v(RSAXTEND)"},
    {{"MDC size in main storage", "pages"}, 12, 0, NUMBER, "v(TCMMAIN)"},
    {{"MDC reads", "/s"},                   12, 1, NUMBER, "d(D0R14.HCPMDCPR) / T"},
    {{"MDC I/O avoided", "/s"},             12, 1, NUMBER, "d(D0R14.HCPMDCIA) / T"},
    {{"Page reads", "/s"},                  12, 1, NUMBER, "d(D0R1.PLSPIOPR) / T"},
    {{"Page writes", "/s"},                 12, 1, NUMBER, "d(D0R1.PLSPIOPW) / T"},
    {{"Spool reads", "/s"},                 12, 1, NUMBER, "d(D0R1.PLSPIOSR) / T"},
    {{"Spool writes", "/s"},                12, 1, NUMBER, "d(D0R1.PLSPIOSW) / T"},
    {{"Moved below 2 GB", "/s"},            12, 1, NUMBER, "d(D0R4.PLSMVB2G) / T"},
    {{"Mean working set, users in Q", "pages"}, 12, 0, NUMBER, "v(D0R10.SRMWSSDL) / v(D0R10.SRMCDISP)"},
    {{"Expanded storage", "pages"},         12, 0, NUMBER, ""},
};

// Times are in units of 128 us.
static const struct report_column device[] = {
    {{"", "Addr"},        4, 0, FORMAT_HEX, "RDEVDEV"},
    {{"Label", "/ID"},    8, 0, TEXT, "RDEVSER"},
    {{"Mdisk", "Links"},  5, 0, NUMBER, "v(RDEVLCNT)"},
    {{"", "PAV"},         4, 0, NUMBER, "d(PAVUSES)"},
    {{"I/O", "/s"},       8, 1, NUMBER, "(d(SCGSSCH) | d(SCMSSCH)) / t"},
    {{"Avoid", "/s"},     6, 1, NUMBER, "d(RDEVMCIA) / t"},
    {{"Pend", "ms"},      6, 2, NUMBER, "0.128 * d(SCMFPTIM) / d(SCGCOUNT)"},
    {{"Disc", "ms"},      6, 2, NUMBER, "0.128 * d(SCMDDTIM) / d(SCGCOUNT)"},
    {{"Conn", "ms"},      6, 2, NUMBER, "0.128 * d(SCMCNTIM) / d(SCGCOUNT)"},
    {{"Serv", "ms"},      6, 2, NUMBER, "0.128 * (d(SCMFPTIM) + d(SCMCNTIM) + d(SCMDDTIM) + d(SCMDATIM)) / d(SCGCOUNT)"},
    {{"Resp", "ms"},      6, 2, NUMBER, "0.128 * (d(SCMFPTIM) + d(SCMCNTIM) + d(SCMDDTIM) + d(SCMDATIM)) / d(SCGCOUNT) + 1000 * (d(HFCTIO) / d(HFRDEVCT)) / (d(SCGSSCH) / t)"},
    {{"CUWt", "ms"},      6, 2, NUMBER, "0.128 * d(SCMCQTIM) / d(SCGCOUNT)"},
    {{"Req.", "Qued"},    6, 2, NUMBER, "d(HFCTIO) / d(HFRDEVCT)"},
    {{"Busy", "%"},       5, 1, NUMBER, "0.0128 * (d(SCMFPTIM) + d(SCMCNTIM) + d(SCMDDTIM) + d(SCMDATIM)) / d(SCGCOUNT) * d(SCGSSCH) / t"},
    {{"Read", "%"},       5, 0, NUMBER, "100 * d(RDEVRDCT) / (d(RDEVRDCT) + d(RDEVWRCT))"},
};

static const struct report_column cpowned[] = {
    {{"", "Addr"},        4, 0, FORMAT_HEX, "RDEVDEV"},
    {{"Volume", "Serial"},6, 0, TEXT, "CALVSER"},
    {{"Page", "slots"},   8, 0, NUMBER, "v(CALPAGE)"},
    {{"Page", "Used%"},   6, 1, NUMBER, "100 * v(EXPCTACP) / v(CALPAGE)"},
    {{"Spool", "slots"},  8, 0, NUMBER, "v(CALSPOOL)"},
    {{"Spool", "Used%"},  6, 1, NUMBER, "100 * v(EXPCTUSI) / v(CALSPOOL)"},
    {{"P-Rds", "/s"},     7, 1, NUMBER, "d(EXPCTPRD) / t"},
    {{"P-Wrt", "/s"},     7, 1, NUMBER, "d(EXPCTPWR) / t"},
    {{"S-Rds", "/s"},     7, 1, NUMBER, "d(EXPCTSRD) / t"},
    {{"S-Wrt", "/s"},     7, 1, NUMBER, "d(EXPCTSWR) / t"},
    {{"Total", "/s"},     7, 1, NUMBER, "(d(EXPCTPRD) + d(EXPCTPWR) + d(EXPCTSRD) + d(EXPCTSWR)) / t"},
    {{"SSCH", "+RSCH"},   7, 1, NUMBER, "(d(SCGSSCH) | d(SCMSSCH)) / t"},
    {{"Inter-", "feres"}, 6, 0, NUMBER, ""},
    {{"Queue", "lngth"},  6, 1, NUMBER, "v(EXPCURQC)"},
    {{"Serv us", "/page"},8, 1, NUMBER, "v(EXPDEVST)"},
    {{"MLOAD", "resp"},   6, 1, NUMBER, "v(EXPMLOAD)"},
    {{"Block", "size"},   6, 1, NUMBER, "(d(EXPCTPRD) + d(EXPCTPWR) + d(EXPCTSRD) + d(EXPCTSWR)) / (d(SCGSSCH) | d(SCMSSCH))"},
};

static const struct report_column user[] = {
    {{"", "Userid"},      8, 0, TEXT, "VMDUSER"},
    {{"", "%CPU"},        7, 2, NUMBER, "100 * d(VMDTTIME) / t"},
    {{"TCPU", "s"},       9, 3, NUMBER, "d(VMDTTIME)"},
    {{"VCPU", "s"},       9, 3, NUMBER, "d(VMDVTIME)"},
    {{"T/V", "Ratio"},    6, 2, NUMBER, "d(VMDTTIME) / d(VMDVTIME)"},
    {{"Total", "IO/s"},   8, 1, NUMBER, "(d(VMDVCSCT) + d(VMDVDSCT) + d(VMDVUSCT) + d(VMDVTSCT) + d(VMDVOSCT)) / t"},
    {{"DASD", "IO/s"},    7, 1, NUMBER, "d(VMDVDSCT) / t"},
    {{"", "Avoid"},       6, 1, NUMBER, "d(VMDMDCIA) / t"},
    {{"", "Diag98"},      6, 1, NUMBER, "d(VMDX98CT) / t"},
    {{"", "UR"},          6, 1, NUMBER, "d(VMDVUSCT) / t"},
    {{"", "Pg/s"},        6, 1, NUMBER, "(d(CALCPPGR) + d(CALCPPGW)) / t"},
    {{"User", "Status"}, 11, 0, FORMAT_STATUS, "VMDSLIST"},
    {{"", "Share"},       7, 0, FORMAT_SHARE, "VMDRELSH"},
    {{"Virt", "CPUs"},    4, 0, NUMBER, "n(VMDUSER)"},
};

static const struct report_column upage[] = {
    {{"", "Userid"},      8, 0, TEXT, "VMDUSER"},
    {{"Data Sp", "Owned"},7, 0, NUMBER, "b(VMDASMCT)"},
    {{"", "WSS"},         8, 0, NUMBER, "b(VMDWSSPR)"},
    {{"", "Resrvd"},      6, 0, NUMBER, "b(VMDMXRVP)"},
    {{"Reads", "/s"},     7, 1, NUMBER, "d(CALCPPGR) / t"},
    {{"Writes", "/s"},    7, 1, NUMBER, "d(CALCPPGW) / t"},
    {{"Steals", "/s"},    7, 1, NUMBER, "d(CALCPPST) / t"},
    {{">2GB", "moves/s"}, 7, 1, NUMBER, "d(VMDMVB2G) / t"},
    {{"Resid", "R<2GB"},  8, 0, NUMBER, "b(VMDCTPVR)"},
    {{"Resid", "R>2GB"},  8, 0, NUMBER, "b(VMDCTPVG)"},
    {{"Locked", "L<2GB"}, 7, 0, NUMBER, "b(VMDCTPVL)"},
    {{"Locked", "L>2GB"}, 7, 0, NUMBER, "b(VMDCTPVLA)"},
    {{"", "XSTOR"},       6, 0, NUMBER, "b(VMDCTXBK)"},
    {{"", "DASD"},        7, 0, NUMBER, "b(CALCTPGS)"},
    {{"Stor", "size MB"}, 8, 0, NUMBER, "b(ASCDEFSZ) / 1048576"},
};

// Active: all but dormant. States are shares of the active samples.
#define ACTIVE "(d(HFQUCT) - d(HFDORM) - d(HFDSVM))"
#define STATE(name) "100 * d(" name ") / " ACTIVE
static const struct report_column ustat[] = {
    {{"", "Userid"},      8, 0, TEXT, "VMDUSER"},
    {{"HF", "samples"},   8, 0, NUMBER, "d(HFQUCT)"},
    {{"", "%ACT"},        4, 0, NUMBER, "100 * " ACTIVE " / d(HFQUCT)"},
    {{"", "%RUN"},        4, 0, NUMBER, STATE("HFCPURN")},
    {{"", "%CPU"},        4, 0, NUMBER, STATE("HFCPUWT")},
    {{"", "%LDG"},        4, 0, NUMBER, STATE("HFLOAD")},
    {{"", "%PGW"},        4, 0, NUMBER, STATE("HFWTPAG")},
    {{"", "%IOW"},        4, 0, NUMBER, STATE("HFIOWT")},
    {{"", "%SIM"},        4, 0, NUMBER, STATE("HFSIMWT")},
    {{"", "%TIW"},        4, 0, NUMBER, STATE("HFTSVM")},
    {{"", "%CFW"},        4, 0, NUMBER, STATE("HFCFWT")},
    {{"", "%TI"},         4, 0, NUMBER, STATE("HFTIDL")},
    {{"", "%EL"},         4, 0, NUMBER, "100 * (d(HFELIG0) + d(HFELIG1) + d(HFELIG2) + d(HFELIG3)) / " ACTIVE},
    {{"", "%DM"},         4, 0, NUMBER, "100 * (d(HFDORM) + d(HFDSVM)) / d(HFQUCT)"},
    {{"", "%IOA"},        4, 0, NUMBER, STATE("HFIOACT")},
    {{"", "%PGA"},        4, 0, NUMBER, STATE("HFPGACT")},
    {{"", "%LIM"},        4, 0, NUMBER, STATE("HFLLIST")},
    {{"", "%OTH"},        4, 0, NUMBER, STATE("HFOTHR")},
    {{"", "Q0"},          3, 0, NUMBER, STATE("HFDISP0")},
    {{"", "Q1"},          3, 0, NUMBER, STATE("HFDISP1")},
    {{"", "Q2"},          3, 0, NUMBER, STATE("HFDISP2")},
    {{"", "Q3"},          3, 0, NUMBER, STATE("HFDISP3")},
    {{"", "E0"},          3, 0, NUMBER, STATE("HFELIG0")},
    {{"", "E1"},          3, 0, NUMBER, STATE("HFELIG1")},
    {{"", "E2"},          3, 0, NUMBER, STATE("HFELIG2")},
    {{"", "E3"},          3, 0, NUMBER, STATE("HFELIG3")},
};

static const struct report_column proclog[] = {
    {{"", "CPU"},         4, 0, FORMAT_HEX,      "PFXCPUAD"},
    {{"", "Type"},        5, 0, FORMAT_CPU_TYPE, "PFXCPUTY"},
    {{"%Busy", "Total"},  6, 1, NUMBER, "100 * (d(PFXUTIME) + d(PFXTMSYS)) / t"},
    {{"%Busy", "User"},   6, 1, NUMBER, "100 * d(PFXUTIME) / t"},
    {{"%Busy", "Syst"},   6, 1, NUMBER, "100 * d(PFXTMSYS) / t"},
    {{"%Busy", "Emul"},   6, 1, NUMBER, "100 * d(PFXPRBTM) / t"},
    {{"Inst", "Siml/s"},  8, 0, NUMBER, "d(D0R1.PLSPRVIS) / t"},
    {{"DIAG", "/s"},      8, 0, NUMBER, "d(D0R1.PLSDIAGT) / t"},
    {{"SIGP", "/s"},      6, 0, NUMBER, ""},
    {{"SSCH", "/s"},      8, 0, NUMBER, "(d(D0R1.PLSCTSS) + d(D0R1.PLSCTRS)) / t"},
    {{"FstPth", "%"},     6, 1, NUMBER, "100 * d(CALFSTPH) / (d(CALFSTPH) + d(D5R3.PFXDSPCS))"},
    {{"Page", "move/s"},  6, 1, NUMBER, "d(D0R4.PLSMVB2G) / t"},
    {{"Pct", "Park"},     6, 1, NUMBER, ""},
};
static const struct report_column response[] = {
    {{"Trivial", "/s"},   8, 2, NUMBER, "(d(CALMPTCT) + d(CALUPTCT)) / T"},
    {{"Trivial", "s"},    8, 3, NUMBER, "(d(CALMPTRV) + d(CALUPTRV)) / (d(CALMPTCT) + d(CALUPTCT))"},
    {{"Non-tr.", "/s"},   8, 2, NUMBER, "(d(CALMPNCT) + d(CALUPNCT)) / T"},
    {{"Non-tr.", "s"},    8, 3, NUMBER, "(d(CALMPNTR) + d(CALUPNTR)) / (d(CALMPNCT) + d(CALUPNCT))"},
    {{"QUICKDSP", "/s"},  8, 2, NUMBER, "d(CALQDNCT) / T"},
    {{"QUICKDSP", "s"},   8, 3, NUMBER, "d(CALQDNTR) / d(CALQDNCT)"},
    {{"Total", "/s"},     8, 2, NUMBER, "(d(CALMPTCT) + d(CALUPTCT) + d(CALMPNCT) + d(CALUPNCT) + d(CALQDNCT)) / T"},
    {{"Mean", "s"},       8, 3, NUMBER, "(d(CALMPTRV) + d(CALUPTRV) + d(CALMPNTR) + d(CALUPNTR) + d(CALQDNTR)) / (d(CALMPTCT) + d(CALUPTCT) + d(CALMPNCT) + d(CALUPNCT) + d(CALQDNCT))"},
};

static const struct report_column transactions[] = {
    {{"Users", "Logged"}, 6, 0, NUMBER, "v(SYSUSRS)"},
    {{"Users", "Dorm."},  6, 0, NUMBER, "v(SRMCDORM)"},
    {{"UP tri.", "/s"},   8, 2, NUMBER, "d(CALUPTCT) / T"},
    {{"UP tri.", "s"},    8, 3, NUMBER, "d(CALUPTRV) / d(CALUPTCT)"},
    {{"UP non", "/s"},    8, 2, NUMBER, "d(CALUPNCT) / T"},
    {{"UP non", "s"},     8, 3, NUMBER, "d(CALUPNTR) / d(CALUPNCT)"},
    {{"MP tri.", "/s"},   8, 2, NUMBER, "d(CALMPTCT) / T"},
    {{"MP tri.", "s"},    8, 3, NUMBER, "d(CALMPTRV) / d(CALMPTCT)"},
    {{"MP non", "/s"},    8, 2, NUMBER, "d(CALMPNCT) / T"},
    {{"MP non", "s"},     8, 3, NUMBER, "d(CALMPNTR) / d(CALMPNCT)"},
    {{"QUICKDSP", "/s"},  8, 2, NUMBER, "d(CALQDNCT) / T"},
    {{"QUICKDSP", "s"},   8, 3, NUMBER, "d(CALQDNTR) / d(CALQDNCT)"},
    {{"Total", "/s"},     8, 2, NUMBER, "(d(CALMPTCT) + d(CALUPTCT) + d(CALMPNCT) + d(CALUPNCT) + d(CALQDNCT)) / T"},
};

static const struct report_column summary[] = {
    {{"Pct", "Busy"},     5, 1, NUMBER, "100 * (d(D0R2.PFXUTIME) + d(D0R2.PFXTMSYS)) / (d(D0R2.PFXUTIME) + d(D0R2.PFXTMSYS) + d(D0R2.PFXTOTWT))"},
    {{"CPUs", "Onl."},    4, 0, NUMBER, "n(D0R2.PFXCPUAD)"},
    {{"T/V", "Ratio"},    6, 2, NUMBER, "(d(D0R2.PFXUTIME) + d(D0R2.PFXTMSYS)) / d(D0R2.PFXPRBTM)"},
    {{"Users", "Logged"}, 6, 0, NUMBER, "v(D0R8.SYSUSRS)"},
    {{"Users", "Activ"},  6, 0, NUMBER, "a(D4R3.VMDTTIME)"},
    {{"Users", "In Q"},   6, 1, NUMBER, "v(D0R10.SRMCDISP) | (d(D4R4.HFQUCT) - d(D4R4.HFDORM) - d(D4R4.HFDSVM)) / d(D4R4.HFQUCT) * n(D4R4.VMDUSER)"},
    {{"Vect.", "Users"},  5, 0, NUMBER, ""},
    {{"SSCH+", "RSCH/s"}, 8, 1, NUMBER, "(d(D0R1.PLSCTSS) + d(D0R1.PLSCTRS)) / T"},
    {{"Stg", "Pct Mo"},   6, 1, NUMBER, "100 * (1 - (v(D0R3.RSAAVAIL) + v(D0R3.RSA2GAVL)) / v(D0R3.RSAPGABL))"},
    {{"", "XSto"},        4, 0, NUMBER, ""},
    {{"Paging", "Tot/s"}, 7, 1, NUMBER, "(d(D0R1.PLSPIOPR) + d(D0R1.PLSPIOPW)) / T"},
    {{"Paging", "Read/s"},7, 1, NUMBER, "d(D0R1.PLSPIOPR) / T"},
    {{"Spl", "Pgs/s"},    6, 1, NUMBER, "(d(D0R1.PLSPIOSR) + d(D0R1.PLSPIOSW)) / T"},
    {{"Trans", "/s"},     8, 2, NUMBER, "(d(D0R8.CALMPTCT) + d(D0R8.CALUPTCT) + d(D0R8.CALMPNCT) + d(D0R8.CALUPNCT) + d(D0R8.CALQDNCT)) / T"},
};

static const struct report_column vswitch[] = {
    {{"", "Addr"},        4, 0, FORMAT_HEX, "RDEVDEV"},
    {{"", "Name"},        8, 0, TEXT, "LANID"},
    {{"", "Controlr"},    8, 0, TEXT, "VMDUSER"},
    {{"Q", "Size"},       5, 0, NUMBER, "v(LANFSV)"},
    {{"Time", "Out"},     4, 0, NUMBER, "v(LANIPTO)"},
    {{"Out/s", "Bytes"}, 11, 0, NUMBER, "d(NICTXBYT) / t"},
    {{"Out/s", "Packets"},9, 1, NUMBER, "d(NICTXPKT) / t"},
    {{"Out/s", "Disc"},   6, 1, NUMBER, "d(NICTXDSC) / t"},
    {{"Out/s", "Err"},    6, 1, NUMBER, "d(NICTXERR) / t"},
    {{"In/s", "Bytes"},  11, 0, NUMBER, "d(NICRXBYT) / t"},
    {{"In/s", "Packets"}, 9, 1, NUMBER, "d(NICRXPKT) / t"},
    {{"In/s", "Disc"},    6, 1, NUMBER, "d(NICRXDSC) / t"},
    {{"In/s", "Err"},     6, 1, NUMBER, "d(NICRXERR) / t"},
    {{"Sig/s", "Write"},  6, 1, NUMBER, "d(SIGWRITE) / t"},
    {{"Sig/s", "Read"},   6, 1, NUMBER, "d(SIGREAD) / t"},
    {{"Sig/s", "Sync"},   6, 1, NUMBER, "d(SIGSYNC) / t"},
};
static const struct report_column nic[] = {
    {{"", "Owner"},       8, 0, TEXT, "OWNER"},
    {{"", "Dev"},         4, 0, FORMAT_HEX, "NICBASE"},
    {{"", "LAN"},         8, 0, TEXT, "LANID"},
    {{"Out/s", "Bytes"}, 11, 0, NUMBER, "d(SESTXBYT) / t"},
    {{"Out/s", "Packets"},9, 1, NUMBER, "d(SESTXPKT) / t"},
    {{"Out/s", "Disc"},   6, 1, NUMBER, "d(SESTXDSC) / t"},
    {{"Out/s", "Err"},    6, 1, NUMBER, "d(SESTXERR) / t"},
    {{"In/s", "Bytes"},  11, 0, NUMBER, "d(SESRXBYT) / t"},
    {{"In/s", "Packets"}, 9, 1, NUMBER, "d(SESRXPKT) / t"},
    {{"In/s", "Disc"},    6, 1, NUMBER, "d(SESRXDSC) / t"},
    {{"In/s", "Err"},     6, 1, NUMBER, "d(SESRXERR) / t"},
};

#define BLOCKS(a) a, sizeof(a) / sizeof(a)[0]
static const struct report_block cpu_blocks[] = {
    {"Load on each CPU",              SHAPE_ROWS, 0, 2, true,  COLUMNS(cpu)},
    {"Queues, paging and I/O",        SHAPE_FORM, 0, 8, false, COLUMNS(queues)}};
static const struct report_block storage_blocks[] = {
    {"Storage",                       SHAPE_FORM, 0, 3, false, COLUMNS(storage)}};
static const struct report_block device_blocks[] = {
    {"Devices",                       SHAPE_ROWS, 6, 3, false, COLUMNS(device)}};
static const struct report_block cpowned_blocks[] = {
    {"Paging and spooling volumes",   SHAPE_ROWS, 3, 4, false, COLUMNS(cpowned)}};
static const struct report_block user_blocks[] = {
    {"Users",                         SHAPE_ROWS, 4, 3, true,  COLUMNS(user)}};
static const struct report_block upage_blocks[] = {
    {"Users' storage",                SHAPE_ROWS, 4, 3, true,  COLUMNS(upage)}};
static const struct report_block ustat_blocks[] = {
    {"Users' states",                 SHAPE_ROWS, 4, 4, true,  COLUMNS(ustat)}};
static const struct report_block proclog_blocks[] = {
    {"PROCLOG: CPUs by time",         SHAPE_ROWS_LOG, 0, 2, false, COLUMNS(proclog)},
    {"RESPTIME: response by time",    SHAPE_LOG,  0, 8, false, COLUMNS(response)}};
static const struct report_block transaction_blocks[] = {
    {"Transactions by time",          SHAPE_LOG,  0, 8, false, COLUMNS(transactions)}};
static const struct report_block summary_blocks[] = {
    {"System summary by time",        SHAPE_LOG,  0, 2, false, COLUMNS(summary)}};
static const struct report_block vswitch_blocks[] = {
    {"Virtual switches",              SHAPE_ROWS, 6, 21, false, COLUMNS(vswitch)},
    {"Virtual NICs",                  SHAPE_ROWS, 8, 1,  false, COLUMNS(nic)}};

const struct report reports[] = {
    {100, "CPU",         "CPU load and queues", BLOCKS(cpu_blocks),
     "%SIC is the share of simulated instructions among those and DIAGNOSE; the Toolkit's own formula is not public. %LOGLD is of the time that was measured as busy or waiting."},
    {103, "STORAGE",     "Storage utilization", BLOCKS(storage_blocks), NULL},
    {108, "DEVICE",      "I/O device load and performance", BLOCKS(device_blocks), NULL},
    {109, "CPOWNED",     "CP-owned volumes", BLOCKS(cpowned_blocks), NULL},
    {112, "USER",        "User resource usage", BLOCKS(user_blocks), NULL},
    {113, "UPAGE",       "User paging activity and storage", BLOCKS(upage_blocks), NULL},
    {114, "USTAT",       "User wait states", BLOCKS(ustat_blocks),
     "States are percent of the samples in which the user was not dormant; %ACT and %DM are of all."},
    {144, "PROCLOG",     "Processor and response logs by time", BLOCKS(proclog_blocks), NULL},
    {155, "MONDATA",     "Monitor data statistics", NULL, 0,
     "Records and bytes by domain and record. Configuration and event records are counted apart."},
    {168, "SYSTRANSACT", "System transactions by time", BLOCKS(transaction_blocks),
     "The columns are ours."},
    {225, "SYSSUMLG",    "System performance summary by time", BLOCKS(summary_blocks), NULL},
    {240, "VSWITCH",     "Virtual switch activity", BLOCKS(vswitch_blocks),
     "Directions are from the switch's side. The NICs are an addition of ours."},
};
// clang-format on
const unsigned report_count = sizeof reports / sizeof reports[0];
