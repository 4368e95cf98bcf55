// SPDX-License-Identifier: MIT
// Accounting records, which go to *ACCOUNT: 80 bytes each (CP Planning and Administration,
// "Accounting Records").
#ifndef ENDICOTT_CP_ACCOUNTING_H
#define ENDICOTT_CP_ACCOUNTING_H

struct vm;

// Virtual machine resource usage (type 01) since LOGON or the last such record: at LOGOFF, and by
// ACNT.
void accounting_usage(struct vm *vm);

#endif
