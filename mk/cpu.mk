# SPDX-License-Identifier: MIT
# The CPU's test programs (tests/cpu/programs/*.S, assembled flat from address 0), its comparison
# with qemu-s390x, and its benchmark (make bench-cpu).

CPU_PROGRAM_SRC := $(wildcard tests/cpu/programs/*.S tests/cpu/bench/*.S)
CPU_PROGRAMS := $(CPU_PROGRAM_SRC:%.S=$(B)/%.bin)

$(B)/tests/cpu/%.bin: tests/cpu/%.S
	@mkdir -p $(@D)
	@echo "  GUEST $<"
	@$(CROSS)gcc -march=z14 -m64 -c -o $(@:.bin=.o) $<
	@$(CROSS)ld -m elf64_s390 --no-warn-rwx-segments -Ttext=0 -e 0 -o $(@:.bin=.elf) $(@:.bin=.o)
	@$(CROSS)objcopy -O binary $(@:.bin=.elf) $@

$(TESTSRC_cpu:%.c=$(B)/obj/%.o) $(B)/obj/tests/cpu/bench_cpu.o $(B)/obj/tests/cpu/fuzz_cpu.o: CPPFLAGS += -DCPU_PROGRAMS='"$(abspath $(B))/tests/cpu"'
$(TESTBIN_cpu): $(CPU_PROGRAMS)

$(B)/tests/cpu/bench_cpu: $(B)/obj/tests/cpu/bench_cpu.o $(call libs_for,cpu) $(CPU_PROGRAMS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -pthread -o $@ $< $(call libs_for,cpu) $(LIBS)

$(B)/obj/tests/cpu/bench_cpu.o: EXTRA = -Itests

bench-cpu: $(B)/tests/cpu/bench_cpu
	@$<

.PHONY: bench-cpu
