# SPDX-License-Identifier: MIT
# The virtual switch's benchmark (make bench-network).

$(B)/obj/tests/network/bench_switch.o: EXTRA = -Itests
$(B)/tests/network/bench_switch: $(B)/obj/tests/network/bench_switch.o $(call libs_for,network)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -pthread -o $@ $< $(call libs_for,network) $(LIBS)

bench-network: $(B)/tests/network/bench_switch
	@$<

.PHONY: bench-network
