// SPDX-License-Identifier: MIT
// The console of a virtual machine: its TERMINAL settings and PF keys, lines between the guest's
// console device and whoever watches it, and console spooling.
#ifndef ENDICOTT_CP_VM_CONSOLE_H
#define ENDICOTT_CP_VM_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/events.h"
#include "base/text.h"
#include "cp/terminal.h"

struct vm;
struct device;
struct spool_file;
struct system_config;

#define PF_KEYS 24

struct pf_key {
    char mode;  // 'I' immediate, 'D' delayed, 'N' no display, 'S' substitute, 'R' retrieve
                // backward, 'F' retrieve forward, 0 undefined
    char *text; // UTF-8, NULL: none
};

// A line-editing character as UTF-8; "" = OFF.
typedef char edit_character[5];

struct terminal_settings {
    edit_character line_end, line_delete, character_delete, escape, tab;
    unsigned line_size; // 0 = OFF
    bool attention, apl, text, mode_cp, highlight;
    bool conmode_3270, break_in_guest, screen_save, auto_cr, hold, timestamp, sys3270;
    char break_key[5];     // "PA1", "PF12", "NONE"
    unsigned more1, more2; // seconds
};

#define CONSOLE_LINES 64 // input lines that can wait for the guest

struct vm_console {
    struct vm *vm;
    struct terminal_settings terminal;
    struct pf_key pf[PF_KEYS + 1]; // by key number, from 1
    // The guest's console.
    uint16_t vdev;
    struct device *device;      // NULL: no console statement
    bool is_3270;               // what the device is now
    struct text partial;        // output without a line end so far
    struct event prompt;        // when that is shown all the same
    bool reading;               // the guest waits for a line: VM READ
    char *input[CONSOLE_LINES]; // lines for the guest, oldest first
    unsigned inputs;
    // Console spooling (SPOOL CONSOLE START).
    bool spooling;
    struct spool_file *file;
    enum terminal_status shown; // last status given to the terminal
};

struct vm_console *vm_console_new(struct vm *vm);
void vm_console_free(struct vm_console *console);
// The defaults of TERMINAL, from SYSTEM CONFIG's Character_Defaults.
void terminal_settings_default(struct terminal_settings *settings,
                               const struct system_config *config);

// A line for the guest's console; false when there is no room (NOT ACCEPTED) or no console.
bool vm_console_input(struct vm *vm, const char *utf8);
// Shows output of the guest that has no line end yet; a line is about to be shown after it.
void vm_console_show_partial(struct vm *vm);
// Attention interruption at the console.
void vm_console_attention(struct vm *vm);
// TERMINAL CONMODE was changed: the console becomes the other kind of device.
void vm_console_conmode(struct vm *vm);
// Tells the terminal CP READ, VM READ or RUNNING if that changed.
void vm_console_status(struct vm *vm);
// Someone is at the terminal again.
void vm_console_sign_on(struct vm *vm);
// Adds a line to the console spool file when SPOOL CONSOLE START is on.
void vm_console_record(struct vm *vm, const char *utf8);
void vm_console_set_pf(struct vm *vm, unsigned key, char mode, const char *text);
// SPOOL CONSOLE START/STOP and CLOSE. spool_console_close() gives the file away; its id, 0: empty.
void vm_console_spool(struct vm *vm, bool on);
unsigned vm_console_close(struct vm *vm);
// Adds the console device that the directory names; 0 or a message number.
int vm_console_define(struct vm *vm, uint16_t vdev);

#endif
