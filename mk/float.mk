# SPDX-License-Identifier: MIT
# Floating-point tests that compute with MPFR and GMP as well.

$(B)/tests/cpu/test_bfp $(B)/tests/cpu/test_hfp_exact: LIBS += $(call pkg,--libs,mpfr) -lgmp
