/* sluice/plugin.h - the exports of a Sluice plugin, a shared library: one data symbol and one manifest.
 *
 * The manifest is TOML text in the ELF section ".sluice.manifest". It names the plugin, every component with the
 * name that it provides in a pipeline, and the schema of its options. The host reads it without loading the library,
 * so that listing, validation and refusal run no foreign code. */
#ifndef SLUICE_PLUGIN_H
#define SLUICE_PLUGIN_H

#include "sluice/abi.h"
#include "sluice/host.h"
#include "sluice/options.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_MANIFEST_SECTION ".sluice.manifest"
#define SLUICE_PLUGIN_SYMBOL "sluice_plugin_v1"

/* One component of a plugin: a layer type, a kernel provider, a source, ... The manifest describes it under the same
 * id. */
typedef struct sluice_component {
    sluice_text id; /* unique; reverse DNS for third parties, "sluice." is ours */
    /* Returns the interface with that id ("sluice.layer/1"), or NULL. The table is static data of this library. id ends
     * in NUL. May be called before open(). [any] */
    const void *(*get)(const struct sluice_component *self, const char *id) SLUICE_NOEXCEPT;
} sluice_component;

typedef struct sluice_plugin {
    uint32_t abi_major; /* the headers that this was built with; filled by SLUICE_ABI_MAJOR and _MINOR */
    uint32_t abi_minor;
    uint32_t component_count;
    uint32_t reserved;
    const sluice_component *components;
    /* Called once, before every other function except get(); may be NULL. host lives until close() returns. close() is
     * called only if open() returned SLUICE_OK. [serial] */
    sluice_status (*open)(const sluice_host *host, sluice_error *error) SLUICE_NOEXCEPT;
    /* Called once at exit, after every object is destroyed; joins every thread that the plugin started. The library is
     * never unloaded. May be NULL. [serial] */
    void (*close)(void) SLUICE_NOEXCEPT;
} sluice_plugin;

/* The only symbol that a plugin exports. */
SLUICE_EXPORT extern const sluice_plugin sluice_plugin_v1;

SLUICE_EXTERN_C_END
#endif
