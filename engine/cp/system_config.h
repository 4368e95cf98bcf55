// SPDX-License-Identifier: MIT
// SYSTEM CONFIG, read once at IPL. Statements have their real names; some are our own, since our
// machine has no hardware definition: `Processors n [type]`, `CPU_Model model`, `Storage size` (with a size as its
// only operand) and the operands `Volume`, `Cylinders` and `Image` of RDevice. See docs for the
// list.
#ifndef ENDICOTT_CP_SYSTEM_CONFIG_H
#define ENDICOTT_CP_SYSTEM_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "cp/cp.h"

#define CONFIG_SLOTS 255

struct config_rdev {
    uint16_t number;
    char type[5]; // "DASD", "OSA", "GRAF", ...
    char model[9];
    char volser[7];     // DASD
    unsigned cylinders; // DASD
    char *image;        // file within the system folder, NULL: <volser>.ckd
    unsigned line;
};

// A statement that is a CP command, executed by the operator at IPL: DEFINE VSWITCH, ...
struct config_command {
    char *text;
    unsigned line;
};

struct config_features {
    bool set_privclass, auto_warm_ipl, clear_tdisk, logmsg_from_file;
    bool passwords_autolog, passwords_link, passwords_logon; // allowed on the command line
    unsigned max_users;                                      // 0: no limit
    unsigned retrieve, retrieve_max;
    unsigned disconnect_timeout; // minutes, 0: off
};

struct system_config {
    char system_name[9];
    char residence[7];               // volume of the checkpoint area
    char owned[CONFIG_SLOTS + 1][7]; // CP_Owned by slot; "" unused
    struct {
        char (*volser)[7];
        unsigned count;
    } user_volumes;
    struct config_rdev *rdev;
    unsigned rdevs;
    uint16_t operator_console[32];
    unsigned operator_consoles;
    struct config_features features;
    char line_end[5], line_delete[5], character_delete[5], escape[5], tab[5]; // "" = OFF
    char timezone[9];
    int64_t timezone_offset; // seconds east of UTC
    unsigned processors;
    enum processor_type processor_type;
    uint64_t storage;
    struct cpu_model cpu_model; // of the real processors
    unsigned shutdown_time, signal_shutdown_time; // seconds
    char userid_operator[9], userid_autolog[9], userid_account[9];
    char (*autolog)[9]; // in order
    unsigned autologs;
    struct config_command *command;
    unsigned commands;
    uint64_t vdisk_user_limit; // blocks
    char *log_message;
};

// NULL when some statement is wrong; each error is a line "file:line: text" in *errors (warnings
// too, then the result is not NULL). `name` is what errors call the file.
struct system_config *system_config_parse(const char *name, const char *text, struct text *errors);
void system_config_free(struct system_config *config);

// The embedded default system (cp/default_system.c).
extern const char default_system_config[];
extern const char default_user_direct[];

#endif
