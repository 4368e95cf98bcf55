# SPDX-License-Identifier: MIT
# What people type: run, check, bench, fuzz, install. Setting up comes before the rest is evaluated
# again, since pkg-config may only just have been installed.

JOBS ?= $(shell nproc 2>/dev/null || echo 1)
REMAKE = $(MAKE) --no-print-directory -j$(JOBS) SETUP=0

setup:
	@$(if $(filter 0,$(SETUP)),:,scripts/setup)

run:
	@$(if $(filter 0,$(SETUP)),:,scripts/setup)
	@$(REMAKE) all
	@ENDICOTT_GUESTS=$(abspath $(B))/guests $(B)/endicott

# --- check ------------------------------------------------------------------
SANITIZED_B := $(B)-sanitized
SCENARIOS := $(wildcard examples/*.lua tests/*/*.lua)
SHELL_TESTS := $(wildcard tests/*/*.t)
FUZZERS = $(FUZZSRC:%.c=$(B)/%)
FUZZSRC := $(wildcard tests/*/fuzz_*.c)

check:
	@$(if $(filter 0,$(SETUP)),:,scripts/setup --tests)
	@$(REMAKE) all check-programs
	@$(REMAKE) B=$(SANITIZED_B) SANITIZE=address,undefined CFLAGS='-O1 -g1' \
		sanitized-programs
	@ENDICOTT=$(abspath $(B))/endicott timeout 300 scripts/guest-kit >/dev/null || echo "No Linux guest: its tests are skipped."
	@ENDICOTT=$(abspath $(B))/endicott ENDICOTT_GUESTS=$(abspath $(B))/guests \
		SANITIZED=$(abspath $(SANITIZED_B)) scripts/run-tests $(B) $(SANITIZED_B)

check-programs: $(ALL_TESTBIN)

# The sanitizer build runs the unit tests and the fuzzers' fixed corpus; scenarios run unsanitized.
sanitized-programs: $(ALL_TESTBIN) $(FUZZERS) guests

layer_of = $(word 2,$(subst /, ,$(1)))
define fuzzer
ALL_OBJ += $(B)/obj/$(1:.c=.o)
$(B)/obj/$(1:.c=.o): EXTRA = $$(CFLAGS_$(call layer_of,$(1))) -Itests
$(B)/$(1:.c=): $(B)/obj/$(1:.c=.o) $(if $(LIBFUZZER),,$(B)/obj/tests/fuzz_driver.o) $$(call libs_for,$(call layer_of,$(1)))
	@mkdir -p $$(@D)
	@echo "  LD $$@"
	@$$(CC) $$(CFLAGS) $$(LDFLAGS) $$(LINK_FLAGS) $(if $(LIBFUZZER),-fsanitize=fuzzer) -pthread -o $$@ \
		$$(filter %.o,$$^) -Wl,--start-group $$(filter %.a,$$^) -Wl,--end-group $$(LIBS)
endef
$(foreach f,$(FUZZSRC),$(eval $(call fuzzer,$(f))))
ALL_OBJ += $(B)/obj/tests/fuzz_driver.o
$(B)/obj/tests/fuzz_driver.o: EXTRA :=

# libFuzzer itself (clang): FUZZ_SECONDS for each harness, corpus kept under build-fuzz/.
FUZZ_SECONDS ?= 60
fuzz:
	@$(if $(filter 0,$(SETUP)),:,scripts/setup --tests)
	@$(REMAKE) B=build-fuzz CC=clang LIBFUZZER=1 SANITIZE=address,undefined \
		CFLAGS='-O1 -g -fsanitize=fuzzer-no-link' fuzz-run
fuzz-run: $(FUZZERS)
	@for f in $(FUZZERS); do mkdir -p $$f.corpus; \
		echo "== $$f"; $$f -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 $$f.corpus || exit 1; done

# --- bench ------------------------------------------------------------------
bench: all
	@ENDICOTT=$(abspath $(B))/endicott B=$(abspath $(B)) scripts/bench

# --- install ----------------------------------------------------------------
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/endicott/guests \
		$(DESTDIR)$(PREFIX)/share/endicott/lua $(DESTDIR)$(PREFIX)/share/endicott/panels \
		$(DESTDIR)$(PREFIX)/share/endicott/examples $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(B)/endicott $(DESTDIR)$(PREFIX)/bin/endicott
	install -m 644 $(wildcard $(B)/guests/*.img $(B)/guests/*.elf) $(DESTDIR)$(PREFIX)/share/endicott/guests/
	install -m 644 $(wildcard lua/*.lua) $(DESTDIR)$(PREFIX)/share/endicott/lua/
	install -m 644 $(wildcard panels/*.lua) $(DESTDIR)$(PREFIX)/share/endicott/panels/
	install -m 644 $(wildcard examples/*.lua) $(DESTDIR)$(PREFIX)/share/endicott/examples/
	install -m 644 $(wildcard docs/man/*.1) $(DESTDIR)$(PREFIX)/share/man/man1/

.PHONY: check-programs sanitized-programs fuzz-run
