// SPDX-License-Identifier: MIT
// Guest storage and registers as DISPLAY, STORE and TRACE address them.
#include "cp/commands/guest_storage.h"

#include <string.h>

struct cpu *call_cpu(struct command_call *call)
{
    vm_quiesce(call->vm);
    return vm_vcpu(call->vm, call->vm->current_cpu)->cpu;
}

bool guest_absolute(const struct cpu *cpu, enum space space, uint64_t address, uint64_t *absolute)
{
    switch (space) {
    case SPACE_PSW:
        if (cpu_translate((struct cpu *)cpu, address, absolute) != 0)
            return false;
        break;
    case SPACE_REAL:
        *absolute = cpu_real_to_absolute(cpu, address);
        break;
    case SPACE_ABSOLUTE:
        *absolute = address;
        break;
    }
    return storage_find(cpu->storage, *absolute, 1) != NULL;
}

static unsigned in_page(uint64_t address, unsigned n)
{
    unsigned left = FRAME_SIZE - (unsigned)(address % FRAME_SIZE);
    return n < left ? n : left;
}

bool guest_read(struct cpu *cpu, enum space space, uint64_t address, void *to, unsigned n)
{
    uint8_t *p = to;
    uint64_t absolute;
    while (n) {
        unsigned part = in_page(address, n);
        if (!guest_absolute(cpu, space, address, &absolute))
            return false;
        const struct storage_extent *extent = storage_find(cpu->storage, absolute, part);
        if (!extent)
            return false;
        memcpy(p, extent->bytes + (absolute - extent->start), part); // sets no reference bit
        p += part;
        address += part;
        n -= part;
    }
    return true;
}

bool guest_write(struct cpu *cpu, enum space space, uint64_t address, const void *from, unsigned n)
{
    const uint8_t *p = from;
    uint64_t absolute;
    for (unsigned done = 0; done < n; done += in_page(address + done, n - done))
        if (!guest_absolute(cpu, space, address + done, &absolute))
            return false;
    while (n) {
        unsigned part = in_page(address, n);
        guest_absolute(cpu, space, address, &absolute);
        if (!storage_write(cpu->storage, absolute, p, part))
            return false;
        p += part;
        address += part;
        n -= part;
    }
    return true;
}

// Cuts `word` at the first of `separators`: the part before into `first`, what follows as result.
static const char *cut(const char *word, const char *separators, char first[24], char *separator)
{
    size_t n = strcspn(word, separators);
    *separator = word[n];
    if (n >= 24)
        n = 23; // too long to be a number of 16 digits anyway
    memcpy(first, word, n);
    first[n] = '\0';
    return *separator ? strpbrk(word, separators) + 1 : "";
}

enum range_fault parse_storage_range(const char *word, uint64_t end, uint64_t *first,
                                     uint64_t *last)
{
    char start[24], separator;
    uint64_t value;
    const char *rest = cut(word, "-:.", start, &separator);
    if (!text_to_u64(start, 16, UINT64_MAX, first))
        return RANGE_HEXLOC;
    *last = *first;
    if (!separator)
        return RANGE_OK;
    if (separator != '.' && strcmp(rest, "END") == 0)
        value = end;
    else if (!text_to_u64(rest, 16, UINT64_MAX, &value))
        return RANGE_HEXLOC;
    if (separator == '.' && (value == 0 || value - 1 > UINT64_MAX - *first))
        return RANGE_REVERSED;
    *last = separator == '.' ? *first + value - 1 : value;
    return *last < *first ? RANGE_REVERSED : RANGE_OK;
}

int range_error(struct command_call *call, enum range_fault fault, const char *word)
{
    return call_error(call, fault == RANGE_HEXLOC ? MESSAGE_invalid_hexloc : MESSAGE_invalid_range,
                      word);
}

bool parse_register_range(const char *word, unsigned *first, unsigned *last)
{
    char start[24], separator;
    uint64_t a, b;
    *first = 0;
    *last = 15;
    if (!*word)
        return true;
    const char *rest = cut(word, "-:.", start, &separator);
    bool decimal = strlen(start) == 2; // 10 to 15; a single digit may be A to F
    if (!text_to_u64(start, decimal ? 10 : 16, 15, &a))
        return false;
    *first = *last = (unsigned)a;
    if (!separator)
        return true;
    if (!text_to_u64(rest, strlen(rest) == 2 ? 10 : 16, separator == '.' ? 16 : 15, &b))
        return false;
    if (separator == '.' && (b == 0 || a + b > 16))
        return false;
    *last = (unsigned)(separator == '.' ? a + b - 1 : b);
    return *last >= *first;
}
