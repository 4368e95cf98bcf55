// SPDX-License-Identifier: MIT
// Loading: from a card reader, from a CKD volume, from files; and what goes wrong with them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/ebcdic.h"
#include "devices/dasd_ckd.h"
#include "devices/unit_record_file.h"
#include "machine/bare.h"

// At 200, in ESA/390 mode: LPSW of a disabled wait with address 123 at 208.
static const uint8_t program[] = {0x82, 0x00, 0x02, 0x08, 0,    0,    0,    0,
                                  0x00, 0x0A, 0x00, 0x00, 0x80, 0x00, 0x01, 0x23};

static void assert_ended_at(struct bare *bare, unsigned address, uint16_t devno)
{
    uint8_t id[8];

    assert_true(bare_run(bare, 10));
    assert_false(bare->machine->ipl_failed);
    assert_int_equal(bare_end(bare), address);
    assert_true(storage_read(bare->machine->storage, 0xB8, id, sizeof id));
    assert_int_equal(be32_load(id), 0x00010000 | css_subchannel_number(bare->machine->css, devno));
    assert_int_equal(be32_load(id + 4), 0);
}

// A deck: PSW and CCW that reads the second card to 200; the program.
static void test_reader(void **state)
{
    static const uint8_t first[24] = {
        0x00, 0x08, 0,    0,    0x80, 0, 0x02, 0x00, // PSW, 31-bit, at 200
        0x02, 0,    0x02, 0x00, 0x20, 0, 0,    0x50};
    struct bare bare;
    const char *reason = "";
    uint8_t deck[160] = {0};
    struct card_hopper *hopper = card_hopper_new();
    struct unit_record_source source = card_hopper_source(hopper);

    (void)state;
    memcpy(deck, first, sizeof first);
    memcpy(deck + 80, program, sizeof program);
    card_hopper_add(hopper, deck, sizeof deck);
    bare_open(&bare, 16, 1);
    css_attach(bare.machine->css, card_reader_new(0x000C, 0x2540, &source), false);
    assert_int_equal(machine_ipl_device(bare.machine, 0x000C, &reason), 0);
    assert_ended_at(&bare, 0x123, 0x000C);
    bare_close(&bare);
    card_hopper_free(hopper);
}

static void test_empty_reader(void **state)
{
    struct bare bare;
    const char *reason = "";
    struct card_hopper *hopper = card_hopper_new();
    struct unit_record_source source = card_hopper_source(hopper);

    (void)state;
    bare_open(&bare, 16, 1);
    css_attach(bare.machine->css, card_reader_new(0x000C, 0x2540, &source), false);
    assert_int_equal(machine_ipl_device(bare.machine, 0x000C, &reason), 0);
    assert_true(bare_run(&bare, 10));
    assert_true(bare.machine->ipl_failed);
    assert_true(strlen(bare.machine->ipl_reason) > 0);
    assert_int_equal(atomic_load(&bare.machine->cpu[0]->state), CPU_STOPPED);
    bare_close(&bare);
    card_hopper_free(hopper);
}

static void add_record(uint8_t *track, size_t size, uint8_t record, const uint8_t *data, unsigned n)
{
    uint8_t count[8] = {0, 0, 0, 0, record, 0, (uint8_t)(n >> 8), (uint8_t)n};
    assert_true(track_append(track, size, count, NULL, data));
}

// Record 1: PSW, CCWs for record 2 and a transfer to the program that record 2 holds: SEEK and
// SEARCH as a loader on disk does it.
static struct dasd_image *bootable_volume(void)
{
    static const uint8_t ipl[24] = {
        0x00, 0x08, 0,    0,    0x80, 0, 0x02, 0x00, // PSW
        0x06, 0,    0x02, 0x80, 0x60, 0, 0,    0x28, // READ DATA of record 2 to 280: the next CCWs
        0x08, 0,    0x02, 0x80, 0,    0, 0,    0,    // TIC there
    };
    static const uint8_t loader[40] = {
        0x07, 0, 0x02, 0xA0, 0x40, 0, 0, 0x06, // SEEK, argument at 2A0
        0x31, 0, 0x02, 0xA2, 0x40, 0, 0, 0x05, // SEARCH ID EQUAL
        0x08, 0, 0x02, 0x88, 0,    0, 0, 0,    // TIC back to it
        0x06, 0, 0x02, 0x00, 0x20, 0, 0, 0x10, // READ DATA to 200
        0,    0, 0,    0,    0,    1, 3, 0,    // cylinder 0, head 1, record 3
    };
    const struct dasd_model *model = dasd_model("3390");
    char *error = NULL;
    struct dasd_image *image = dasd_image_create(NULL, model, 2, NULL, &error);
    uint8_t *track = calloc(1, model->track_size);

    assert_non_null(image);
    track_format(track, model->track_size, 0, 0);
    add_record(track, model->track_size, 1, ipl, sizeof ipl);
    add_record(track, model->track_size, 2, loader, sizeof loader);
    assert_int_equal(dasd_image_write(image, 0, track), 0);
    track_format(track, model->track_size, 0, 1);
    for (uint8_t i = 1; i <= 3; i++) {
        uint8_t count[8] = {0, 0, 0, 1, i, 0, 0, sizeof program};
        assert_true(track_append(track, model->track_size, count, NULL, program));
    }
    assert_int_equal(dasd_image_write(image, 1, track), 0);
    free(track);
    return image;
}

static void test_dasd(void **state)
{
    struct bare bare;
    const char *reason = "";
    struct dasd_volume *volume = dasd_volume_new(bootable_volume());

    (void)state;
    bare_open(&bare, 16, 1);
    css_attach(bare.machine->css, dasd_ckd_new(0x0190, volume, 0, 2, true), false);
    assert_int_equal(machine_ipl_device(bare.machine, 0x0190, &reason), 0);
    assert_ended_at(&bare, 0x123, 0x0190);
    // The disk turned meanwhile: loading took some of its time.
    assert_true(clock_now(&bare.world.clock) > BARE_START + TOD_MILLISECOND);
    bare_close(&bare);
    dasd_volume_free(volume);
}

static void test_no_device(void **state)
{
    struct bare bare;
    const char *reason = "";

    (void)state;
    bare_open(&bare, 16, 1);
    assert_int_equal(machine_ipl_device(bare.machine, 0x0ABC, &reason), -1);
    assert_string_equal(reason, "no such device");
    assert_true(bare_run(&bare, 1));
    bare_close(&bare);
}

// The guest that works on a disk, on a volume in memory.
static void test_dasdio(void **state)
{
    struct bare bare;
    char *error = NULL;
    struct dasd_volume *volume =
        dasd_volume_new(dasd_image_create(NULL, dasd_model("3390"), 3, NULL, &error));

    (void)state;
    bare_open(&bare, 16, 1);
    css_attach(bare.machine->css, dasd_ckd_new(0x0191, volume, 0, 3, false), false);
    assert_int_equal(bare_load(&bare, "dasdio", "n=150 tracks=20"), 0);
    assert_true(bare_run(&bare, 600));
    assert_true(bare_said(&bare, "dasdio: 240 records formatted"));
    assert_true(bare_said(&bare, "dasdio: 150 records written, "));
    assert_int_equal(bare_end(&bare), 0);
    bare_close(&bare);
    dasd_volume_free(volume);
}

static void test_flat_image(void **state)
{
    uint8_t image[0x210] = {0x00, 0x08, 0, 0, 0x80, 0, 0x02, 0x00};
    struct bare bare;
    const char *reason = "";

    (void)state;
    memcpy(image + 0x200, program, sizeof program);
    bare_open(&bare, 16, 1);
    assert_int_equal(machine_ipl_image(bare.machine, image, sizeof image, "", NULL, &reason), 0);
    assert_true(bare_run(&bare, 1));
    assert_int_equal(bare_end(&bare), 0x123);
    bare_close(&bare);
}

static void test_list_directed(void **state)
{
    char folder[] = "/tmp/endicott-ins-XXXXXX", path[80], command[100];
    struct bare bare;
    const char *reason = "";
    static const uint8_t psw[8] = {0x00, 0x08, 0, 0, 0x80, 0, 0x02, 0x00};
    uint8_t parm[16];
    FILE *out;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/psw", folder);
    assert_non_null(out = fopen(path, "wb"));
    fwrite(psw, 1, sizeof psw, out);
    fclose(out);
    snprintf(path, sizeof path, "%s/code", folder);
    assert_non_null(out = fopen(path, "wb"));
    fwrite(program, 1, sizeof program, out);
    fclose(out);
    snprintf(path, sizeof path, "%s/set.ins", folder);
    assert_non_null(out = fopen(path, "w"));
    fputs("* a set\npsw 0x0\ncode 0x00000200\n", out);
    fclose(out);
    bare_open(&bare, 16, 1);
    assert_int_equal(machine_ipl_file(bare.machine, path, "root=none", &reason), 0);
    assert_true(storage_read(bare.machine->storage, 0x10480, parm, 10));
    assert_string_equal((char *)parm, "root=none");
    assert_true(bare_run(&bare, 1));
    assert_int_equal(bare_end(&bare), 0x123);
    // A file of the set is missing.
    assert_non_null(out = fopen(path, "w"));
    fputs("* a set\nmissing 0x0\n", out);
    fclose(out);
    assert_int_equal(machine_ipl_file(bare.machine, path, NULL, &reason), -1);
    assert_string_equal(reason, "No such file or directory");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    bare_close(&bare);
}

static void test_refused(void **state)
{
    static uint8_t big[2 << 20];
    static char long_text[1200];
    uint8_t elf[64] = {0x7F, 'E', 'L', 'F', 2, 1};
    struct bare bare;
    const char *reason = "";

    (void)state;
    bare_open(&bare, 1, 1);
    assert_int_equal(machine_ipl_file(bare.machine, "/nowhere/at/all", NULL, &reason), -1);
    assert_string_equal(reason, "No such file or directory");
    assert_int_equal(machine_ipl_image(bare.machine, big, sizeof big, "", NULL, &reason), -1);
    assert_string_equal(reason, "storage is too small for it");
    assert_int_equal(machine_ipl_image(bare.machine, elf, sizeof elf, "", NULL, &reason), -1);
    assert_string_equal(reason, "not an ELF file for s390x");
    elf[5] = 2;
    elf[19] = 22;
    elf[55] = 56;
    elf[57] = 2;
    assert_int_equal(machine_ipl_image(bare.machine, elf, sizeof elf, "", NULL, &reason), -1);
    assert_string_equal(reason, "damaged ELF program header");
    memset(long_text, 'x', sizeof long_text - 1);
    assert_int_equal(machine_ipl_image(bare.machine, big, 16, "", long_text, &reason), -1);
    assert_string_equal(reason, "parameters longer than 895 characters");
    assert_true(machine_at_rest(bare.machine));
    bare_close(&bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reader),        cmocka_unit_test(test_empty_reader),
        cmocka_unit_test(test_dasd),          cmocka_unit_test(test_no_device),
        cmocka_unit_test(test_dasdio),        cmocka_unit_test(test_flat_image),
        cmocka_unit_test(test_list_directed), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
