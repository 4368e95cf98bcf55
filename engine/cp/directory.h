// SPDX-License-Identifier: MIT
// USER DIRECT: who may log on, and what each virtual machine is made of.
#ifndef ENDICOTT_CP_DIRECTORY_H
#define ENDICOTT_CP_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "cp/cp.h"

enum password_kind {
    PASSWORD_TEXT,
    PASSWORD_NOLOG,
    PASSWORD_NOPASS,
    PASSWORD_AUTOONLY,
    PASSWORD_LBYONLY
};

struct directory_names { // a list of userids or other names
    char (*name)[9];
    unsigned count;
};

struct directory_cpu {
    unsigned address;
    bool base, dedicate;
    uint32_t cpuid; // 0: default
};

struct directory_console {
    bool present, is_3270;
    uint16_t vdev;
    char spool_class;
    char secondary[9];
    bool observer;
};

struct directory_spool {
    uint16_t vdev;
    char type[5]; // "2540", "1403", "3203", ...
    enum { SPOOL_READER, SPOOL_PUNCH, SPOOL_PRINTER } kind;
    char spool_class;
};

enum mdisk_kind { MDISK_EXTENT, MDISK_TDISK, MDISK_VDISK, MDISK_FULL_DEVNO };
struct directory_mdisk {
    uint16_t vdev;
    enum mdisk_kind kind;
    char type[7];              // "3390", "FB-512"
    unsigned start, cylinders; // blocks for a V-DISK in `blocks`; cylinders 0: to the end
    uint64_t blocks;
    uint16_t rdev; // DEVNO
    char volser[7];
    char mode[5];        // "MR", ...
    char password[3][9]; // read, write, multi; "" none, "ALL" not needed
};

struct directory_link {
    char userid[9];
    uint16_t vdev, as;
    char mode[3];
};

struct directory_nic {
    uint16_t vdev;
    char type[13]; // QDIO, HIPERSOCKETS, IEDN, ...
    unsigned devices;
    bool lan; // LAN owner name was given
    char lan_owner[9], lan_name[9];
    char mac_id[7]; // MACID, "" none
    unsigned vlan;  // VLAN
    unsigned port;  // PORTNUMBER
    char chpid[3];
    unsigned line;
};

struct directory_special {
    uint16_t vdev;
    char type[13];
    char operands[60];
};

struct directory_dedicate {
    uint16_t vdev, rdev;
    char volser[7];
    bool read_only;
};

struct directory_iucv {
    char target[9]; // ALLOW, ANY, a userid, *MONITOR, ...
    bool priority;
    unsigned msglimit; // 0: default
};

struct directory_options {
    bool acct, applmon, conceal, devinfo, devmaint, diag88, diag98, ignmaxu, lnkexclu, lnknopas,
        lnkstabl, quickdsp, rmchinfo, setorig, svmstat, todenable, mih, comsrv, d84nopas, maintccw,
        stgexempt, vmsave, lang, lkfac, netaccounting, netrouter, cfuser, cfvm, lnks, lnke, svcaccl,
        underpri, xrc, crymeasure, stfirst;
    unsigned maxconn; // 0: default
};

struct directory_user {
    char userid[9];
    unsigned line;
    bool profile; // a PROFILE, not a user
    enum password_kind password_kind;
    char password[9];
    uint64_t storage, max_storage;
    class_set classes;
    char account[9], distribution[9];
    char mode[4]; // MACHINE: "ESA", "XA", "XC", "Z"
    unsigned max_cpus;
    char cpu_model[CPU_MODEL_TEXT]; // CPUMODEL (our own): what differs from the system's; "" =
                                    // nothing
    struct directory_cpu *cpu;
    unsigned cpus;
    char ipl[9];    // "" none: device number or name
    char *ipl_file; // IPL FILE path (our own form), NULL none
    char *ipl_parm;
    char loadparm[9];
    struct directory_console console;
    struct directory_spool *spool;
    unsigned spools;
    struct directory_mdisk *mdisk;
    unsigned mdisks;
    struct directory_link *link;
    unsigned links;
    struct directory_nic *nic;
    unsigned nics;
    struct directory_special *special;
    unsigned specials;
    struct directory_dedicate *dedicate;
    unsigned dedicates;
    struct directory_iucv *iucv;
    unsigned iucvs;
    struct directory_names namesave, autolog, xautolog, logonby;
    struct directory_options option;
    bool has_share;
    struct share share;
    char **command; // COMMAND statements, run at logon before IPL
    unsigned commands;
    char screen[80];
};

struct directory {
    struct directory_user *user; // in order of the file; profiles are kept apart
    unsigned users;
};

// NULL when some statement is wrong; each error is a line "file:line: text" in *errors. INCLUDEs
// are resolved: each user has all that applies to it.
struct directory *directory_parse(const char *name, const char *text, struct text *errors);
void directory_free(struct directory *directory);
const struct directory_user *directory_find(const struct directory *directory, const char *userid);
// Does the LOGON password match? False for NOLOG, AUTOONLY, LBYONLY (LOGON BY checks another
// entry).
bool directory_password(const struct directory_user *user, const char *password);
bool directory_names_have(const struct directory_names *names, const char *name);
const struct directory_mdisk *directory_mdisk(const struct directory_user *user, uint16_t vdev);
// "ABCG" to a set; false when a letter is wrong. And back (NUL-terminated, 33 bytes at most).
bool class_set_parse(const char *letters, class_set *classes);
void class_set_format(class_set classes, char out[33]);

#endif
