# SPDX-License-Identifier: MIT
# libendicott-monitor, the reader of MONWRITE files for other programs: static and shared, with its
# header, pkg-config file and manual page.

BASE_CFLAGS += -Iinclude
# Metrics over HTTP (cli/metrics.c).
CFLAGS_cli += $(call pkg,--cflags,libmicrohttpd)
LIBS += $(call pkg,--libs,libmicrohttpd)

MONLIB_SRC := $(addprefix engine/monitor/,library.c reader.c record.c record_layouts.c) \
	$(addprefix engine/base/,clock.c ebcdic.c memory.c text.c utf8.c)
MONLIB_OBJ := $(MONLIB_SRC:%.c=$(B)/pic/%.o)
MONLIB_SONAME := libendicott-monitor.so.$(firstword $(subst ., ,$(VERSION)))
MONLIB := $(B)/libendicott-monitor.a $(B)/libendicott-monitor.so.$(VERSION)
ALL_OBJ += $(MONLIB_OBJ)

# Only what the header names is visible.
$(B)/pic/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(BASE_CFLAGS) $(CPPFLAGS) $(CFLAGS) -fPIC -fvisibility=hidden -c -o $@ $<

$(B)/libendicott-monitor.so.$(VERSION): $(MONLIB_OBJ)
	@echo "  LD $@"
	@$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -pthread -shared -Wl,-soname,$(MONLIB_SONAME) -o $@ $^

$(B)/libendicott-monitor.a: $(MONLIB_OBJ)
	@$(LD) -r -o $(B)/pic/all.o $^
	@objcopy --localize-hidden $(B)/pic/all.o
	@rm -f $@
	@ar rcs $@ $(B)/pic/all.o

all: $(MONLIB)

install: install-monitor-library
install-monitor-library: $(MONLIB)
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include \
		$(DESTDIR)$(PREFIX)/share/man/man3
	install -m 644 include/endicott-monitor.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 $(B)/libendicott-monitor.a $(DESTDIR)$(PREFIX)/lib/
	install -m 755 $(B)/libendicott-monitor.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/
	ln -sf libendicott-monitor.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/$(MONLIB_SONAME)
	ln -sf $(MONLIB_SONAME) $(DESTDIR)$(PREFIX)/lib/libendicott-monitor.so
	printf 'prefix=%s\nlibdir=$${prefix}/lib\nincludedir=$${prefix}/include\n\nName: endicott-monitor\nDescription: %s\nVersion: %s\nCflags: -I$${includedir}\nLibs: -L$${libdir} -lendicott-monitor\nLibs.private: -pthread\n' \
		'$(PREFIX)' 'reads z/VM monitor data in the form of MONWRITE' '$(VERSION)' \
		>$(DESTDIR)$(PREFIX)/lib/pkgconfig/endicott-monitor.pc
	install -m 644 docs/man/libendicott-monitor.3 $(DESTDIR)$(PREFIX)/share/man/man3/

# Reports of a file with each bit turned over, and cut at each byte: a minute or two. make check
# takes some of them.
check-every-bit: $(B)/tests/monitor/test_report
	EVERY_BIT=1 $<

# How fast files are read, beside cat in the same run (scripts/bench).
$(B)/obj/tests/monitor/bench_reader.o: EXTRA = -Itests
$(B)/tests/monitor/bench_reader: $(B)/obj/tests/monitor/bench_reader.o $(B)/libendicott-monitor.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -pthread -o $@ $^

.PHONY: install-monitor-library check-every-bit

# What sampling costs (scripts/bench).
ALL_OBJ += $(B)/obj/tests/monitor/bench_sampling.o $(B)/obj/tests/monitor/bench_reader.o
$(B)/obj/tests/monitor/bench_sampling.o: EXTRA = -Itests
$(B)/tests/monitor/bench_sampling: $(B)/obj/tests/monitor/bench_sampling.o $(call libs_for,monitor)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -pthread -o $@ $< -Wl,--start-group \
		$(call libs_for,monitor) -Wl,--end-group $(LIBS)
