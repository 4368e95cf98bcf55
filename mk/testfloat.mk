# SPDX-License-Identifier: MIT
# TestFloat's vectors through our instructions: make testfloat TESTFLOAT_GEN=PATH, where PATH is a
# testfloat_gen that the user built. TESTFLOAT_OPTIONS goes to it (-level 2 -n 1000000), functions
# are chosen by how their names begin with TESTFLOAT_ONLY (f32 f64_mulAdd).

TESTFLOAT_GEN ?= testfloat_gen
ALL_OBJ += $(B)/obj/tests/cpu/testfloat.o

$(B)/obj/tests/cpu/testfloat.o: EXTRA = -Itests
$(B)/obj/tests/cpu/testfloat.o: CPPFLAGS += -DCPU_PROGRAMS='"$(abspath $(B))/tests/cpu"'
$(B)/tests/cpu/testfloat: $(B)/obj/tests/cpu/testfloat.o $(call libs_for,cpu)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -pthread -o $@ $< $(call libs_for,cpu) $(LIBS)

testfloat: $(B)/tests/cpu/testfloat
	@$< $(TESTFLOAT_GEN) $(TESTFLOAT_OPTIONS) $(TESTFLOAT_ONLY)

.PHONY: testfloat
