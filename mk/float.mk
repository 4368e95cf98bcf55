# SPDX-License-Identifier: MIT
# Floating-point tests that compute with MPFR and GMP as well.

$(addprefix $(B)/tests/cpu/,test_bfp test_divide_exact test_hfp_exact): LIBS += $(call pkg,--libs,mpfr) -lgmp
