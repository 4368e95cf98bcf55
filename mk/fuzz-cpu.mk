# SPDX-License-Identifier: MIT
# Long comparison of the CPU with qemu-system-s390x, beside what make check does of it:
#   make fuzz-cpu [SEED=N] [CASES=N] [FIRST=BATCH] [ONLY=MNEMONIC]
# The same seed makes the same cases. FIRST goes on where an earlier run said "next batch", so that
# a run can be split; ONLY leaves all other instructions and the streams out.

SEED ?= 1
CASES ?= 10000000
FIRST ?= 1
ONLY ?=

ALL_OBJ += $(B)/obj/tests/cpu/compare_qemu.o
$(B)/obj/tests/cpu/compare_qemu.o: EXTRA = -Itests
$(B)/obj/tests/cpu/compare_qemu.o: CPPFLAGS += -DCPU_PROGRAMS='"$(abspath $(B))/tests/cpu"'
$(B)/tests/cpu/compare_qemu: $(B)/obj/tests/cpu/compare_qemu.o $(call libs_for,cpu) $(CPU_PROGRAMS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -pthread -o $@ $< $(call libs_for,cpu) $(LIBS)

fuzz-cpu: $(B)/tests/cpu/compare_qemu
	@$< --seed $(SEED) --cases $(CASES) --first $(FIRST) $(if $(ONLY),--only $(ONLY))

.PHONY: fuzz-cpu
