/* sluice/fault_guard.h - a service of the host for plugins that read files through mapped memory. If a page cannot be
 * read, because the file was truncated or its disk failed, the call returns 0 and no SIGBUS kills the process. */
#ifndef SLUICE_FAULT_GUARD_H
#define SLUICE_FAULT_GUARD_H

#include "sluice/host.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_FAULT_GUARD_V1 "sluice.fault_guard/1"
typedef struct sluice_fault_guard {
    /* Calls body(context) on the calling thread. Returns 1 if the body has returned. Returns 0 if the body touched such
     * a page: it is then left at that point, as by longjmp(), and what it has written stays. So the body takes no lock,
     * owns nothing and calls nothing that does. Calls may nest: the innermost body is left. A fault outside of a body,
     * or of another sort, kills the process as usual. [any] */
    uint32_t (*run)(const sluice_host *host, void (*body)(void *context) SLUICE_NOEXCEPT,
                    void *context) SLUICE_NOEXCEPT;
} sluice_fault_guard;

SLUICE_EXTERN_C_END
#endif
