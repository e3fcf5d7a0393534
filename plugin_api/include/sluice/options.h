/* sluice/options.h - configuration as an immutable typed tree, one node per TOML value.
 *
 * The host checks a table against the schema in the plugin's manifest and fills in every default before create(), so
 * unknown keys, wrong types and values out of range never arrive. An option that has no default and was not given is
 * absent. A tree lives until the call that it was passed to returns. */
#ifndef SLUICE_OPTIONS_H
#define SLUICE_OPTIONS_H

#include "sluice/abi.h"

SLUICE_EXTERN_C_BEGIN

enum {
    SLUICE_NIL = 0,
    SLUICE_BOOL = 1,   /* as.i: 0 or 1 */
    SLUICE_INT = 2,    /* as.i */
    SLUICE_FLOAT = 3,  /* as.f */
    SLUICE_STRING = 4, /* as.text, count bytes */
    SLUICE_ARRAY = 5,  /* as.items, count of them */
    SLUICE_TABLE = 6   /* as.pairs, count of them, sorted by the bytes of their keys */
};

struct sluice_pair;

typedef struct sluice_value {
    uint32_t kind;
    uint32_t line; /* in the user's file; 0 for a default */
    uint64_t count;
    union {
        int64_t i;
        double f;
        const char *text;
        const struct sluice_value *items;
        const struct sluice_pair *pairs;
    } as;
} sluice_value;

typedef struct sluice_pair {
    sluice_text key;
    sluice_value value;
} sluice_pair;

SLUICE_EXTERN_C_END
#endif
