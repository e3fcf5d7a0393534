/* sluice/kind/libraries.h - the libraries that a component uses, with their versions, for people who diagnose a
 * problem. Any component may serve it in addition to the interface of its kind. */
#ifndef SLUICE_KIND_LIBRARIES_H
#define SLUICE_KIND_LIBRARIES_H

#include "sluice/abi.h"

SLUICE_EXTERN_C_BEGIN

/* list() reports here; the host copies. */
typedef struct sluice_library_sink {
    uint64_t struct_size;
    void *impl;
    /* "oneDNN", "3.7.1": the version that runs, not the one that the plugin was built with. */
    void (*add_library)(const struct sluice_library_sink *sink, sluice_text name, sluice_text version) SLUICE_NOEXCEPT;
} sluice_library_sink;

#define SLUICE_LIBRARIES_V1 "sluice.libraries/1"
typedef struct sluice_libraries {
    /* Lists the libraries that are present; needs no object and no working device. [any] */
    sluice_status (*list)(const sluice_library_sink *sink, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_libraries;

SLUICE_EXTERN_C_END
#endif
