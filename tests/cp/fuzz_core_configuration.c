// SPDX-License-Identifier: MIT
// SYSTEM CONFIG and USER DIRECT from anybody: the first byte chooses the parser.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/directory.h"
#include "cp/system_config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Statements that random bytes would rarely spell: a byte above X'7F' stands for one of them.
static const char *const words[] = {
    "USER ",
    "PROFILE ",
    "INCLUDE ",
    "MACHINE ",
    "CPU ",
    "IPL ",
    "CONSOLE ",
    "SPOOL ",
    "MDISK ",
    "LINK ",
    "SPECIAL ",
    "NICDEF ",
    "IUCV ",
    "NAMESAVE ",
    "OPTION ",
    "SHARE ",
    "RDEVICE ",
    "FEATURES ",
    "CP_OWNED ",
    "STORAGE ",
    "PROCESSORS ",
    "ABSOLUTE ",
    "RELATIVE ",
    "LIMITHARD ",
    "3390 ",
    "0191 ",
    "64M ",
    "ENABLE ",
    "/*",
    "*/",
    ",\n",
    "\n",
    "\n* ",
    "SET ",
    "DEFINE ",
    "CHARACTER_DEFAULTS ",
    "TIMEZONE_DEFINITION ",
    "SYSTEM_IDENTIFIER ",
    "END ",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = {0}, errors = {0};

    if (!size)
        return 0;
    for (size_t i = 1; i < size; i++) {
        char c = (char)data[i];
        if (data[i] >= 0x80)
            text_puts(&text, words[data[i] % (sizeof words / sizeof *words)]);
        else if (c)
            text_add(&text, &c, 1);
    }
    if (data[0] & 1)
        directory_free(directory_parse("fuzz", text_get(&text), &errors));
    else
        system_config_free(system_config_parse("fuzz", text_get(&text), &errors));
    text_free(&text);
    text_free(&errors);
    return 0;
}
