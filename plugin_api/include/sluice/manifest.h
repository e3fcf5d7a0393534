/* sluice/manifest.h - puts a plugin's manifest into its library.
 *
 *     #include "sluice/manifest.h"
 *     SLUICE_EMBED_MANIFEST("plugin.toml")
 *
 * in one source file of the plugin embeds the text of that file. The assembler searches its working folder and the
 * folders of -I. The compiler adds the keys abi and arch in front. sluice_add_plugin() does all of this by itself. */
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

/* The flag "R" keeps the section if the linker drops unreferenced sections (--gc-sections). Assemblers know it since
 * clang 13 and binutils 2.36. */
#define SLUICE_MANIFEST_SECTION_(flags) ".pushsection .sluice.manifest,\"" flags "\",@progbits\n"
#if !defined(__clang__)
#define SLUICE_MANIFEST_BEGIN_                                                                                  \
    ".if .gasversion. >= 23600\n" SLUICE_MANIFEST_SECTION_("aR") ".else\n" SLUICE_MANIFEST_SECTION_("a") ".endif\n"
#elif __clang_major__ >= 13
#define SLUICE_MANIFEST_BEGIN_ SLUICE_MANIFEST_SECTION_("aR")
#else
#define SLUICE_MANIFEST_BEGIN_ SLUICE_MANIFEST_SECTION_("a")
#endif

#define SLUICE_EMBED_MANIFEST(file)                                                                         \
    __asm__(SLUICE_MANIFEST_BEGIN_                                                                          \
            ".ascii \"abi = \\\"" SLUICE_QUOTED(SLUICE_ABI_MAJOR) "." SLUICE_QUOTED(SLUICE_ABI_MINOR) "\\\"\\n\"\n" \
            ".ascii \"arch = \\\"" SLUICE_ARCH "\\\"\\n\"\n"                                                \
            ".incbin \"" file "\"\n"                                                                        \
            ".popsection");

#endif
