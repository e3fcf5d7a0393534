#include "report/assets.hpp"

#include <cstddef>

// Embeds a file, and names its first byte and the byte after its last.
#define SLUICE_EMBED(name, file)                                                               \
    __asm__(                                                                                   \
        ".section .rodata\n"                                                                   \
        ".global sluice_asset_" #name                                                          \
        "_begin\n"                                                                             \
        ".hidden sluice_asset_" #name                                                          \
        "_begin\n"                                                                             \
        "sluice_asset_" #name                                                                  \
        "_begin:\n"                                                                            \
        ".incbin \"" file                                                                      \
        "\"\n"                                                                                 \
        ".global sluice_asset_" #name                                                          \
        "_end\n"                                                                               \
        ".hidden sluice_asset_" #name                                                          \
        "_end\n"                                                                               \
        "sluice_asset_" #name                                                                  \
        "_end:\n"                                                                              \
        ".byte 0\n"                                                                            \
        ".text\n");                                                                            \
    extern "C" __attribute__((visibility("hidden"))) const char sluice_asset_##name##_begin[]; \
    extern "C" __attribute__((visibility("hidden"))) const char sluice_asset_##name##_end[]

SLUICE_EMBED(style, SLUICE_ASSETS "/style.css");
SLUICE_EMBED(script, SLUICE_ASSETS "/page.js");
SLUICE_EMBED(licence, SLUICE_ASSETS "/chart_licence.js");
SLUICE_EMBED(library, SLUICE_CHART_LIBRARY);

namespace sluice::report::assets {
namespace {

std::string_view between(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

}  // namespace

std::string_view style() { return between(sluice_asset_style_begin, sluice_asset_style_end); }
std::string_view script() { return between(sluice_asset_script_begin, sluice_asset_script_end); }
std::string chart_library() {
    return std::string(between(sluice_asset_licence_begin, sluice_asset_licence_end))
        .append(between(sluice_asset_library_begin, sluice_asset_library_end));
}

}  // namespace sluice::report::assets
