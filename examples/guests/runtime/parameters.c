// SPDX-License-Identifier: MIT
// Parameters: "key=value key=value", ASCII with a NUL at its end, where Linux has its command line.
#include "guest.h"

#define PARAMETERS 0x10480ul

static bool blank(char c)
{
    return c == ' ' || c == '\n' || c == ',';
}

// CP folds IPL's PARM to upper case, so the case of letters does not matter.
static bool matches(const char *text, const char *lower, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] | 0x20) : text[i];
        if (c != lower[i])
            return false;
    }
    return true;
}

// Keys and values are separated by blanks; a value may hold commas.
const char *parameter(const char *key, size_t *n)
{
    const char *at = real(PARAMETERS);
    size_t length = strlen(key);

    while (*at) {
        while (*at && blank(*at))
            at++;
        const char *word = at;
        while (*at && *at != ' ' && *at != '\n')
            at++;
        if ((size_t)(at - word) < length || !matches(word, key, length))
            continue;
        if (word + length != at && word[length] != '=')
            continue;
        word += length + (word + length != at);
        *n = (size_t)(at - word);
        return word;
    }
    return NULL;
}

bool parameter_flag(const char *key)
{
    size_t n;
    return parameter(key, &n) != NULL;
}

static _Noreturn void bad(const char *key)
{
    print("bad parameter %s", key);
    guest_end(END_PARAMETER);
}

static unsigned digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 99;
}

// Reads digits from value[0..n); returns how many there were.
static size_t number(const char *value, size_t n, unsigned base, uint64_t *result)
{
    size_t i = 0;

    *result = 0;
    for (; i < n && digit(value[i]) < base; i++)
        *result = *result * base + digit(value[i]);
    return i;
}

static uint64_t whole_number(const char *key, unsigned base, uint64_t otherwise)
{
    uint64_t result;
    size_t n;
    const char *value = parameter(key, &n);

    if (!value)
        return otherwise;
    if (n == 0 || n > 18 || number(value, n, base, &result) != n)
        bad(key);
    return result;
}

uint64_t parameter_number(const char *key, uint64_t otherwise)
{
    return whole_number(key, 10, otherwise);
}

uint64_t parameter_hex(const char *key, uint64_t otherwise)
{
    return whole_number(key, 16, otherwise);
}

uint64_t parameter_time(const char *key, uint64_t otherwise)
{
    static const struct {
        const char *name;
        uint64_t us;
    } units[] = {{"us", 1}, {"ms", 1000}, {"s", 1000000}};
    uint64_t result;
    size_t n, used;
    const char *value = parameter(key, &n);

    if (!value)
        return otherwise;
    used = n > 12 ? 0 : number(value, n, 10, &result);
    for (int i = 0; used && i < 3; i++)
        if (strlen(units[i].name) == n - used && matches(value + used, units[i].name, n - used))
            return result * units[i].us;
    bad(key);
}
