# SPDX-License-Identifier: MIT
# The CPU's test programs (tests/cpu/programs/*.S, assembled flat from address 0), its comparison
# with qemu-s390x, and its benchmark (make bench-cpu).

CPU_PROGRAM_SRC := $(wildcard tests/cpu/programs/*.S) tests/cpu/bench/loops.S
CPU_PROGRAMS := $(CPU_PROGRAM_SRC:%.S=$(B)/%.bin)

$(B)/tests/cpu/%.bin: tests/cpu/%.S
	@mkdir -p $(@D)
	@echo "  GUEST $<"
	@$(CROSS)gcc -march=z14 -m64 -c -o $(@:.bin=.o) $<
	@$(CROSS)ld -m elf64_s390 --no-warn-rwx-segments -Ttext=0 -e 0 -o $(@:.bin=.elf) $(@:.bin=.o)
	@$(CROSS)objcopy -O binary $(@:.bin=.elf) $@

$(TESTSRC_cpu:%.c=$(B)/obj/%.o) $(B)/obj/tests/cpu/bench_cpu.o $(B)/obj/tests/cpu/fuzz_cpu.o $(B)/obj/tests/cpu/fuzz_spaces.o: CPPFLAGS += -DCPU_PROGRAMS='"$(abspath $(B))/tests/cpu"'
$(TESTBIN_cpu): $(CPU_PROGRAMS)

$(B)/tests/cpu/bench_cpu: $(B)/obj/tests/cpu/bench_cpu.o $(call libs_for,cpu) $(CPU_PROGRAMS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -pthread -o $@ $< $(call libs_for,cpu) $(LIBS)

$(B)/obj/tests/cpu/bench_cpu.o: EXTRA = -Itests

# clang has cmpxchg16b inline only when the whole file may use it.
ifeq ($(shell uname -m),x86_64)
$(B)/obj/engine/cpu/interlocked.o: CPPFLAGS += -mcx16
endif

# --- beside the peers (make bench-cpu) ------------------------------------------------------------
# Bare-metal programs in C and assembler, one image each. ENDICOTT_GUEST_KIT=DIR adds the programs
# of a guest kit: its flat images, and its benchmark inside of Linux; ENDICOTT_COREMARK=FILE, a
# static s390x executable, runs there as well.

BENCH_KERNELS := $(patsubst tests/cpu/bench/%.c,$(B)/tests/cpu/bench/%.img,$(wildcard tests/cpu/bench/*.c))
BENCH_ROWS := $(B)/tests/cpu/flat.rows
BENCH_PROGRAMS := $(B)/tests/cpu/bench_kernels $(B)/tests/cpu/bench_guest

$(B)/tests/cpu/bench/%.img: tests/cpu/bench/%.c tests/cpu/bench/start.S tests/cpu/bench/image.ld
	@mkdir -p $(@D)
	@echo "  GUEST $<"
	@$(CROSS)gcc -std=gnu17 -O2 -march=z10 -ffreestanding -fno-pie -fno-stack-protector \
		-fno-asynchronous-unwind-tables -ffp-contract=off -fno-math-errno -Wall -Wextra -nostdlib \
		-static -no-pie -Wl,--build-id=none -Wl,--no-warn-rwx-segments \
		-Wl,-T,tests/cpu/bench/image.ld -o $(@:.img=.elf) tests/cpu/bench/start.S $<
	@$(CROSS)objcopy -O binary $(@:.img=.elf) $@

$(BENCH_PROGRAMS): $(B)/tests/cpu/%: $(B)/obj/tests/cpu/%.o $(call libs_for,cpu)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -pthread -o $@ $< $(call libs_for,cpu) $(LIBS)

$(BENCH_PROGRAMS:$(B)/tests/cpu/%=$(B)/obj/tests/cpu/%.o): EXTRA = -Itests
$(BENCH_PROGRAMS:$(B)/tests/cpu/%=$(B)/obj/tests/cpu/%.o): CPPFLAGS += -DCPU_PROGRAMS='"$(abspath $(B))/tests/cpu"'

bench-cpu: $(BENCH_PROGRAMS) $(BENCH_KERNELS) $(if $(ENDICOTT_GUEST_KIT),$(B)/endicott)
	@$(B)/tests/cpu/bench_kernels $(if $(ENDICOTT_GUEST_KIT),$(ENDICOTT_GUEST_KIT) $(BENCH_ROWS))
	@$(if $(ENDICOTT_GUEST_KIT),$(B)/tests/cpu/bench_guest $(B)/endicott tests/cpu/bench/guest.lua \
		$(ENDICOTT_GUEST_KIT) $(BENCH_ROWS) $(ENDICOTT_COREMARK))

.PHONY: bench-cpu
