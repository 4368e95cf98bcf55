// SPDX-License-Identifier: MIT
// Coverage as Markdown, from the tables that the program itself works with.
#include <stdlib.h>
#include <string.h>

#include "cp/command.h"
#include "cpu/model.h"
#include "cpu/opcode.h"
#include "endicott_private.h"
#include "monitor/record.h"
#include "monitor/report.h"

// Facilities, the machine that each came with, and how many instructions need it.
static void document_facilities(FILE *out)
{
    struct cpu_model all;
    struct cpu_facility_row row;

    cpu_model_default(&all);
    fprintf(out,
            "\n## Facilities\n\nWhat a CPU model has is turned on and off by these "
            "numbers or names ([CPU models](configuration.md#cpu-models)).\n\n"
            "| number | name | | since | instructions | |\n| --- | --- | --- | --- | --- | --- "
            "|\n");
    for (size_t i = 0; cpu_facility_row(i, &row); i++) {
        bool there = all.facilities[row.bit / 64] >> (63 - row.bit % 64) & 1;
        unsigned n = 0;
        for (unsigned k = 0; k < opcode_count; k++)
            n += opcode_table[k].facility == row.bit;
        fprintf(out, "| %u | %s | %s | %s | %u | %s |\n", row.bit, row.name, row.title,
                cpu_generation_name(row.since), n, there ? "" : "not there");
    }
}

// The machine that a facility came with.
static const char *facility_since(unsigned bit)
{
    struct cpu_facility_row row;

    for (size_t i = 0; cpu_facility_row(i, &row); i++)
        if (row.bit == bit)
            return cpu_generation_name(row.since);
    return "";
}

static void document_instructions(FILE *out)
{
    fprintf(out,
            "# Instructions\n\nMade by `endicott document instructions` from the instruction "
            "table (`engine/cpu/opcodes_*.def`), which\ndecodes, executes and disassembles. "
            "What is not here is an operation exception.\n\n%u instructions.\n\n"
            "| mnemonic | opcode | facility | since | seen by CP as |\n| --- | --- | --- | --- | "
            "--- |\n",
            opcode_count);
    for (unsigned i = 0; i < opcode_count; i++) {
        const struct opcode *row = &opcode_table[i];
        char facility[8] = "";
        if (row->facility != FACILITY_NONE)
            snprintf(facility, sizeof facility, "%u", row->facility);
        fprintf(out, "| %s | %04X | %s | %s | %s |\n", row->mnemonic, row->code, facility,
                facility_since(row->facility),
                row->reason < INTERCEPT_COUNT ? intercept_rows[row->reason].name : "");
    }
    document_facilities(out);
}

// Some commands (LOGON, MONITOR) register when a system starts, so one does.
static void document_commands(FILE *out)
{
    char *messages = NULL;
    struct endicott *sys =
        endicott_new(&(struct endicott_options){.mode = CLOCK_VIRTUAL}, &messages);
    free(messages);
    if (sys)
        command_document(out);
    endicott_free(sys);
}

void endicott_document(const char *what, FILE *out)
{
    if (strcmp(what, "instructions") == 0)
        document_instructions(out);
    else if (strcmp(what, "commands") == 0)
        document_commands(out);
    else if (strcmp(what, "records") == 0)
        record_document(out);
    else if (strcmp(what, "reports") == 0)
        report_document(out);
}
