// Bytes as hexadecimal text.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>

namespace sluice {

// Returns two digits for each byte.
inline std::string hexadecimal(std::span<const unsigned char> bytes) {
    std::string text;
    for (const unsigned char byte : bytes) {
        text += fmt::format("{:02x}", byte);
    }
    return text;
}

}  // namespace sluice
