// SPDX-License-Identifier: MIT
// What every bundled guest builds on: interruptions, channel I/O, the console, parameters, time.
#ifndef GUEST_H
#define GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- the program ---
// Each guest's own; returns the code that the final disabled wait shows as PSW address.
unsigned long guest_main(void);
enum {
    END_OK = 0,
    END_WRONG = 1,          // a check of the guest failed
    END_PARAMETER = 2,      // bad parameters
    END_NO_DEVICE = 3,      // a device it needs is not there
    END_IO_ERROR = 4,       // unexpected status
    END_UNEXPECTED = 0xE000 // plus class * 0x100: an interruption that nobody expected
};
_Noreturn void guest_end(unsigned long code);

extern uint32_t parameter_word;        // at 10010
extern volatile uint64_t transactions; // at 10018

// --- parameters: "key=value key=value" at 10480, ASCII ---
// The value up to the next blank, or NULL. *n: its length.
const char *parameter(const char *key, size_t *n);
// Decimal number, or `otherwise` when there is none; ends the guest when it is not one.
uint64_t parameter_number(const char *key, uint64_t otherwise);
uint64_t parameter_hex(const char *key, uint64_t otherwise);
// Time span with us, ms or s behind it, in microseconds.
uint64_t parameter_time(const char *key, uint64_t otherwise);
bool parameter_flag(const char *key); // given at all, with or without a value

// --- storage ---
// A pointer to real storage, also to low addresses that C would take for null pointers.
static inline void *real(unsigned long address)
{
    __asm__("" : "+a"(address));
    return (void *)address;
}
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
bool same(const char *a, const char *b); // equal strings

// --- text ---
// One line on the console: %s string, %lu unsigned long, %lx the same in hexadecimal.
void print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void to_ebcdic(const char *ascii, uint8_t *out, size_t n); // blank-padded field
void to_ascii(const uint8_t *ebcdic, char *out, size_t n); // n characters and a NUL
// Waits for the operator's attention, reads a line; its length. `size` includes the NUL.
size_t read_line(char *line, size_t size);

// --- interruptions ---
enum interruption_class { RESTART, EXTERNAL, SVC, PROGRAM, MACHINE_CHECK, IO, CLASSES };

#define PSW_PER      0x4000000000000000ul
#define PSW_DAT      0x0400000000000000ul
#define PSW_IO       0x0200000000000000ul
#define PSW_EXTERNAL 0x0100000000000000ul
#define PSW_MCHECK   0x0004000000000000ul
#define PSW_WAIT     0x0002000000000000ul
#define PSW_PROBLEM  0x0001000000000000ul
#define PSW_64       0x0000000180000000ul

struct interruption {
    enum interruption_class class;
    uint64_t *gr;      // saved general registers, 16
    uint64_t *old_psw; // mask, address; where the guest goes on
    uint32_t code;     // external, SVC and program: the code; I/O: subchannel id
    uint32_t parameter;
    uint16_t ilc; // bytes, SVC and program
    uint16_t cpu; // external: the sending CPU
};
typedef void handler_fn(const struct interruption *interruption);
// Replaces the handler of a class; NULL: the default (I/O is served by the runtime, all else ends
// the guest). Returns the former one.
handler_fn *set_handler(enum interruption_class class, handler_fn *handler);

void wait_with(unsigned long mask);
static inline void wait_for(unsigned long classes)
{
    wait_with(PSW_64 | PSW_WAIT | classes);
}
// Calls function(arg); 0, or the program-interruption code that ended it. `last_check` then tells
// more, with the old PSW in last_psw.
unsigned long try_call(void (*function)(void *), void *arg);
extern struct interruption last_check;
extern uint64_t last_psw[2];

void control_set(unsigned n, uint64_t bits); // ORs bits into control register n (0, 6 or 14)
void control_clear(unsigned n, uint64_t bits);
#define CR0_CLOCK_COMPARATOR 0x0800u
#define CR0_CPU_TIMER        0x0400u
#define CR0_SERVICE_SIGNAL   0x0200u
#define CR0_EMERGENCY        0x4000u
#define CR0_EXTERNAL_CALL    0x2000u
#define CR0_IUCV             0x0002u

// --- time, in microseconds ---
uint64_t now_us(void);
uint64_t tod_clock(void);
// Enabled for external interruptions of CR0 only; returns at that time of the TOD clock.
void sleep_until(uint64_t tod);
void sleep_us(uint64_t us);
// For waits with a limit: sets the clock comparator and enables its interruption.
void alarm_at(uint64_t tod);
extern volatile bool alarm_rang;

// --- channel I/O ---
struct ccw { // format 1
    uint8_t command, flags;
    uint16_t count;
    uint32_t address;
} __attribute__((aligned(8)));
#define CCW_CD  0x80
#define CCW_CC  0x40
#define CCW_SLI 0x20

static inline uint32_t address_of(const void *p)
{
    return (uint32_t)(unsigned long)p;
}

struct device {
    uint32_t subchannel; // subsystem identification
    uint16_t number;
    volatile bool ended;            // the start function has
    volatile bool attention;        // came unasked
    uint8_t status, channel_status; // device and subchannel status so far
    uint16_t residual;
    uint32_t ccw_address; // behind the last CCW
    uint8_t sense[32];
};
#define STATUS_OK         0x0C
#define STATUS_UNIT_CHECK 0x02

// Finds a device by number and enables its subchannel; false when it is not there.
bool device_open(struct device *device, uint16_t number);
// The first device whose SENSE ID tells this control-unit type.
bool device_open_type(struct device *device, uint16_t cu_type);
// Starts the program and waits for its end. True: ended with channel end and device end alone.
// After a unit check, `sense` is filled.
bool device_run(struct device *device, const struct ccw *program);
int device_start(struct device *device, const struct ccw *program); // condition code; no wait
void device_wait(struct device *device);
struct device *console(void);

// --- other CPUs ---
int sigp(unsigned order, unsigned cpu, uint64_t parameter, uint32_t *status);
unsigned this_cpu(void);
// Starts function on CPU `cpu` with a prefix area and a stack of its own; false when refused.
bool second_cpu_start(unsigned cpu, void (*function)(void));

#endif
