/* sluice/fault_guard.h - a service of the host for plugins that read files through mapped memory: a page that cannot be
 * read, since the file was cut off meanwhile or its disk failed, is told rather than ending the process by SIGBUS. */
#ifndef SLUICE_FAULT_GUARD_H
#define SLUICE_FAULT_GUARD_H

#include "sluice/host.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_FAULT_GUARD_V1 "sluice.fault_guard/1"
typedef struct sluice_fault_guard {
    /* Calls body(context) on the calling thread. 1: it has returned. 0: it was left in its middle, as by longjmp(),
     * where it touched such a page; what it has written until then stays. So the body takes no lock, owns nothing and
     * calls nothing that does. Calls may nest: the innermost body is left. What faults outside of a body, or
     * otherwise, ends the process as ever. [any] */
    uint32_t (*run)(const sluice_host *host, void (*body)(void *context) SLUICE_NOEXCEPT,
                    void *context) SLUICE_NOEXCEPT;
} sluice_fault_guard;

SLUICE_EXTERN_C_END
#endif
