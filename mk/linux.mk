# SPDX-License-Identifier: MIT
# Programs that tests run inside of the Linux guest (tests/linux/programs/*.c, static, for Debian's
# level of the architecture), and the Linux guest beside the peers (make bench-linux).

LINUX_SRC := $(wildcard tests/linux/programs/*.c)
LINUX_PROGRAMS := $(LINUX_SRC:tests/linux/programs/%.c=$(B)/guests/linux/%)
LINUX_CFLAGS := -std=gnu17 -O2 -march=z196 -ffp-contract=off -Wall -Wextra -Werror -MMD -MP

linux-programs: $(LINUX_PROGRAMS)
check-programs: linux-programs

$(B)/guests/linux/%: tests/linux/programs/%.c
	@mkdir -p $(@D)
	@echo "  GUEST $<"
	@$(CROSS)gcc $(LINUX_CFLAGS) -MF $@.d -static -o $@ $(filter %.c %.o,$^)

# The bare-metal benchmark's kernels, each with a name of its own.
LINUX_KERNELS := core records arithmetic floating chase bytes decimal
$(LINUX_KERNELS:%=$(B)/guests/linux/obj/%.o): $(B)/guests/linux/obj/%.o: tests/cpu/bench/%.c
	@mkdir -p $(@D)
	@$(CROSS)gcc $(LINUX_CFLAGS) -march=z10 -fno-math-errno -MF $@.d -c -o $@ $<
	@$(CROSS)objcopy --redefine-sym kernel=kernel_$* --redefine-sym expected=expected_$* $@
$(B)/guests/linux/bench: $(LINUX_KERNELS:%=$(B)/guests/linux/obj/%.o)

-include $(wildcard $(B)/guests/linux/*.d $(B)/guests/linux/obj/*.d)

# ROUNDS boots of each emulator (3), then programs inside of the guest.
$(B)/tests/linux/bench_linux: tests/linux/bench/bench_linux.c tests/cpu/bench_tools.h
	@mkdir -p $(@D)
	@$(CC) $(BASE_CFLAGS) $(CPPFLAGS) $(CFLAGS) -Itests $(LDFLAGS) $(LINK_FLAGS) -o $@ $< -lm

bench-linux: all linux-programs $(B)/tests/linux/bench_linux
	@B=$(abspath $(B)) scripts/bench-linux

.PHONY: bench-linux linux-programs

# Two guests under load in real time, for STRESS_SECONDS.
STRESS_SECONDS ?= 600
stress-linux: all linux-programs
	@ENDICOTT=$(abspath $(B))/endicott scripts/guest-kit >/dev/null
	@ENDICOTT_GUESTS=$(abspath $(B))/guests $(B)/endicott run tests/linux/stress.lua $(STRESS_SECONDS)

.PHONY: stress-linux
