# SPDX-License-Identifier: MIT
# Programs in which processors are threads, under ThreadSanitizer, in a build of their own.

TSAN_B := $(B)-tsan
TSAN_TESTS := tests/cpu/test_litmus tests/engine/test_real_mode tests/cp/test_core_guests tests/cp/test_cmd_trace

check-tsan:
	@$(MAKE) --no-print-directory SETUP=0 B=$(TSAN_B) SANITIZE=thread CFLAGS='-O1 -g' tsan-programs
	@CMOCKA_MESSAGE_OUTPUT=TAP TSAN_OPTIONS="suppressions=$(abspath tests/tsan.supp)" \
		prove --exec '' $(TSAN_TESTS:%=$(TSAN_B)/%)

tsan-programs: guests $(TSAN_TESTS:%=$(B)/%)

.PHONY: check-tsan tsan-programs
