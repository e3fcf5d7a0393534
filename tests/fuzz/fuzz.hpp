// Shared code of the fuzz targets: bytes must give a result, or one error that names the mistake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace sluice::test {

// Aborts the process if an error has no message.
template <class Work>
void expect_result_or_error(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        if (std::string_view(error.what()).empty()) {
            std::abort();
        }
    }
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

}  // namespace sluice::test
