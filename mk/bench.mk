# SPDX-License-Identifier: MIT
# The whole system's benchmark, which scripts/bench runs (make bench).

ALL_OBJ += $(B)/obj/tests/engine/bench_engine.o
$(B)/obj/tests/engine/bench_engine.o: EXTRA = -Itests
$(B)/tests/engine/bench_engine: $(B)/obj/tests/engine/bench_engine.o $(call libs_for,engine)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -pthread -o $@ $< -Wl,--start-group \
		$(call libs_for,engine) -Wl,--end-group $(LIBS)

bench-programs: guests $(B)/tests/cpu/bench_cpu $(B)/tests/network/bench_switch \
	$(B)/tests/engine/bench_engine $(B)/tests/monitor/bench_reader \
	$(B)/tests/monitor/bench_sampling

.PHONY: bench-programs
