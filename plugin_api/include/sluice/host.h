/* sluice/host.h - services of the host for plugins. A plugin looks them up by id with get(); each is optional except
 * the log. The host and its services live until the plugin's close() has returned. */
#ifndef SLUICE_HOST_H
#define SLUICE_HOST_H

#include "sluice/abi.h"

SLUICE_EXTERN_C_BEGIN

typedef struct sluice_host {
    uint32_t abi_major;
    uint32_t abi_minor;
    void *impl; /* the host's own; a plugin never looks inside */
    /* Returns the service with that id, or NULL if the host does not offer it. id ends in NUL. [any] */
    const void *(*get)(const struct sluice_host *host, const char *id) SLUICE_NOEXCEPT;
} sluice_host;

enum { SLUICE_LOG_DEBUG = 0, SLUICE_LOG_INFO = 1, SLUICE_LOG_WARNING = 2, SLUICE_LOG_ERROR = 3 };

#define SLUICE_LOG_V1 "sluice.log/1"
typedef struct sluice_log {
    /* Messages below this level are dropped: test it before formatting. [any] */
    uint32_t (*level)(const sluice_host *host) SLUICE_NOEXCEPT;
    /* Writes one line, copied; the host adds time and the plugin's id. [any] */
    void (*write)(const sluice_host *host, uint32_t level, sluice_text message) SLUICE_NOEXCEPT;
} sluice_log;

/* The part of the machine that this process may use, limited by its affinity and control groups. */
#define SLUICE_MACHINE_V1 "sluice.machine/1"
typedef struct sluice_machine {
    /* Cores, at least 1. [any] */
    uint32_t (*usable_cores)(const sluice_host *host) SLUICE_NOEXCEPT;
    /* Bytes that this process can still allocate. [any] */
    uint64_t (*available_memory)(const sluice_host *host) SLUICE_NOEXCEPT;
} sluice_machine;

/* The threads of one replica: its OpenMP team, which oneDNN uses too. CPU kernels, optimizers and strategies get them
 * with each call that may use them. */
typedef struct sluice_threads {
    uint64_t struct_size;
    void *impl;
    uint32_t count; /* of threads, the calling one included */
    uint32_t reserved;
    /* Calls body once for each piece of [0, n) and returns when all are done. There are at most `count` pieces of about
     * equal size, at least `grain` long, numbered by `piece` from 0. The pieces depend only on n, grain and count, so a
     * sum over pieces in their order is reproducible. n <= 0: no call; a grain below 1 counts as 1. Calls do not nest.
     * [serial] */
    void (*parallel_for)(const struct sluice_threads *threads, int64_t n, int64_t grain,
                         void (*body)(void *context, int64_t begin, int64_t end, uint32_t piece) SLUICE_NOEXCEPT,
                         void *context) SLUICE_NOEXCEPT;
} sluice_threads;

SLUICE_EXTERN_C_END
#endif
