// The libraries that a component uses. A static function of its class lists them:
//
//   static std::vector<sluice::sdk::Library> libraries() { return {{"oneDNN", "3.7.1"}}; }
#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "sluice/kind/libraries.h"
#include "sluice/sdk/guard.hpp"

namespace sluice::sdk {

struct Library {
    std::string name;
    std::string version;  // the version that runs
};

template <class T>
concept NamesLibraries = requires {
    { T::libraries() } -> std::same_as<std::vector<Library>>;
};

namespace detail {

template <NamesLibraries T>
inline constexpr sluice_libraries libraries_table = {
    .list = [](const sluice_library_sink* sink, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            for (const Library& library : T::libraries()) {
                sink->add_library(sink, text_of(library.name), text_of(library.version));
            }
        });
    },
};

}  // namespace detail
}  // namespace sluice::sdk
