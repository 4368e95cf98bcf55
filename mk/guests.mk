# SPDX-License-Identifier: MIT
# The bundled guests: examples/guests/NAME.c with the runtime, to $(B)/guests/NAME.elf. They use
# nothing above the z/Architecture of 2000, so that any CPU level runs them.

CROSS ?= s390x-linux-gnu-
GUEST_SRC := $(wildcard examples/guests/*.c)
GUEST_START := $(B)/guests/obj/runtime/start.S.o
GUEST_RUNTIME := $(B)/guests/obj/runtime.a
GUEST_RUNTIME_OBJ := $(patsubst examples/guests/runtime/%,$(B)/guests/obj/runtime/%.o,\
	$(wildcard examples/guests/runtime/*.c))
GUESTS := $(GUEST_SRC:examples/guests/%.c=$(B)/guests/%.elf)
GUEST_CFLAGS := -march=z900 -m64 -O2 -std=gnu17 -ffreestanding -fno-builtin -fno-pic -fno-stack-protector \
	-fno-asynchronous-unwind-tables -fno-delete-null-pointer-checks -fno-tree-loop-distribute-patterns \
	-msoft-float -Wall -Wextra -Wstrict-prototypes -Wwrite-strings -Wshadow -Werror -MMD -MP

guests: $(GUESTS)

$(B)/guests/obj/%.c.o: examples/guests/%.c
	@mkdir -p $(@D)
	@echo "  GUEST $<"
	@$(CROSS)gcc $(GUEST_CFLAGS) -c -o $@ $<

$(B)/guests/obj/%.S.o: examples/guests/%.S
	@mkdir -p $(@D)
	@echo "  GUEST $<"
	@$(CROSS)gcc -march=z900 -m64 -c -o $@ $<

$(GUEST_RUNTIME): $(GUEST_RUNTIME_OBJ)
	@rm -f $@
	@$(CROSS)ar rcs $@ $^

$(B)/guests/%.elf: $(B)/guests/obj/%.c.o $(GUEST_START) $(GUEST_RUNTIME) examples/guests/runtime/guest.ld
	@$(CROSS)ld -m elf64_s390 --no-warn-rwx-segments -T examples/guests/runtime/guest.ld -o $@ $(GUEST_START) $< $(GUEST_RUNTIME)

.PRECIOUS: $(B)/guests/obj/%.c.o $(B)/guests/obj/%.S.o
-include $(wildcard $(B)/guests/obj/*.d $(B)/guests/obj/runtime/*.d)

check-machine: guests
