# SPDX-License-Identifier: MIT
# Floating-point tests that compute with MPFR and GMP as well.

$(B)/tests/cpu/test_bfp: LIBS += $(call pkg,--libs,mpfr) -lgmp
