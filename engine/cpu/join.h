// SPDX-License-Identifier: MIT
// Which operations can be joined with a branch behind them, or need not set the condition code.
#ifndef ENDICOTT_CPU_JOIN_H
#define ENDICOTT_CPU_JOIN_H

#include "cpu/execute.h"

// Operations that set the condition code without looking at it, by their operands: registers (and
// immediates) only, so that nothing but an overflow interrupts them; or storage.
// clang-format off
#define CC_OF_REGISTERS(X) \
    X(ar) X(ahi) X(afi) X(ark) X(ahik) X(sr) X(srk) X(aih) X(ahhhr) X(ahhlr) X(shhhr) \
    X(shhlr) X(agr) X(agfr) X(aghi) X(agfi) X(agrk) X(aghik) X(sgr) X(sgfr) X(sgrk) X(alr) \
    X(alfi) X(alrk) X(alhsik) X(slr) X(slfi) X(slrk) X(algr) X(algfr) X(algfi) X(algrk) \
    X(alghsik) X(slgr) X(slgfr) X(slgfi) X(slgrk) X(alhhhr) X(alhhlr) X(slhhhr) X(slhhlr) \
    X(alsih) X(msrkc) X(msgrkc) X(ltr) X(ltgr) X(ltgfr) X(lngr) X(lngfr) X(lnr) X(cr) X(chi) \
    X(cfi) X(cgr) X(cgfr) X(cghi) X(cgfi) X(cih) X(chhr) X(chlr) X(clr) X(clfi) X(clgr) \
    X(clgfr) X(clgfi) X(clih) X(clhhr) X(clhlr) X(nihh) X(nihl) X(nilh) X(nill) X(nihf) \
    X(nilf) X(oihh) X(oihl) X(oilh) X(oill) X(oihf) X(oilf) X(xihf) X(xilf) X(tmhh) X(tmhl) \
    X(tmlh) X(tmll) X(sra) X(srak) X(srag) X(risbg) X(rnsbg) X(rosbg) X(rxsbg) X(nr) X(nrk) \
    X(ngr) X(ngrk) X(or) X(ork) X(ogr) X(ogrk) X(xr) X(xrk) X(xgr) X(xgrk) X(ncrk) X(ncgrk) \
    X(ocrk) X(ocgrk) X(nnrk) X(nngrk) X(nork) X(nogrk) X(nxrk) X(nxgrk)
#define CC_OF_STORAGE(X) \
    X(a) X(ah) X(s) X(sh) X(ag) X(agf) X(agh) X(sg) X(sgf) X(sgh) X(al) X(sl) X(alg) X(algf) \
    X(slg) X(slgf) X(msc) X(msgc) X(lt) X(ltg) X(ltgf) X(c) X(ch) X(crl) X(chrl) X(cg) \
    X(cgf) X(cgh) X(cgrl) X(cgfrl) X(cghrl) X(chhsi) X(chsi) X(cghsi) X(chf) X(cl) X(clrl) \
    X(clhrl) X(clg) X(clgf) X(clgrl) X(clgfrl) X(clghrl) X(clhhsi) X(clfhsi) X(clghsi) \
    X(cli) X(clhf) X(tm) X(n) X(ng) X(o) X(og) X(x) X(xg)
// Operations on registers that nothing can interrupt and that leave the condition code alone.
#define CC_KEPT(X) \
    X(lr) X(lgr) X(lgfr) X(llgfr) X(llgtr) X(lbr) X(lgbr) X(lhr) X(lghr) X(llcr) X(llgcr) \
    X(llhr) X(llghr) X(lrvr) X(lrvgr) X(lhi) X(lghi) X(lgfi) X(llihf) X(llilf) X(iilf) \
    X(iihf) X(llihh) X(llihl) X(llilh) X(llill) X(iihh) X(iihl) X(iilh) X(iill) X(la) X(larl) \
    X(sll) X(srl) X(sllk) X(srlk) X(sllg) X(srlg) X(rll) X(rllg) X(risbgn) X(risbhg) X(risblg) \
    X(msr) X(msfi) X(mhi) X(msgr) X(msgfr) X(msgfi) X(mghi) X(ear)
// clang-format on

#define JOIN_PROTOTYPES(name)  \
    HANDLER(op_##name##_then); \
    HANDLER(op_##name##_quiet);
CC_OF_REGISTERS(JOIN_PROTOTYPES)
CC_OF_STORAGE(JOIN_PROTOTYPES)
#undef JOIN_PROTOTYPES

#endif
