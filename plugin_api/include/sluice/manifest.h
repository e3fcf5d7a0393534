/* sluice/manifest.h - puts a plugin's manifest into its library.
 *
 *     #include "sluice/manifest.h"
 *     SLUICE_EMBED_MANIFEST("plugin.toml")
 *
 * in one source of the plugin embeds the text of that file, which the assembler looks for in its working folder and in
 * those of -I. What the compiler knows stands in front of it: abi and arch. sluice_add_plugin() does this by itself. */
#ifndef SLUICE_MANIFEST_H
#define SLUICE_MANIFEST_H

#include "sluice/abi.h"

#if defined(__x86_64__)
#define SLUICE_ARCH "x86_64"
#elif defined(__aarch64__)
#define SLUICE_ARCH "aarch64"
#else
#error "Sluice knows x86_64 and aarch64 only"
#endif

#define SLUICE_QUOTED_(text) #text
#define SLUICE_QUOTED(macro) SLUICE_QUOTED_(macro)

#define SLUICE_EMBED_MANIFEST(file)                                                                         \
    __asm__(".pushsection .sluice.manifest,\"a\",@progbits\n"                                               \
            ".ascii \"abi = \\\"" SLUICE_QUOTED(SLUICE_ABI_MAJOR) "." SLUICE_QUOTED(SLUICE_ABI_MINOR) "\\\"\\n\"\n" \
            ".ascii \"arch = \\\"" SLUICE_ARCH "\\\"\\n\"\n"                                                \
            ".incbin \"" file "\"\n"                                                                        \
            ".popsection");

#endif
