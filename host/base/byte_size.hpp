// Sizes in bytes as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sluice {

// "2 GiB", "1.5 GB", "800 B" as bytes; nothing where the text is not a positive size. Units: B, kB, MB, GB, TB and KiB,
// MiB, GiB, TiB.
std::optional<std::uint64_t> parse_size(const std::string& text);

// "2.0 GiB".
std::string format_size(std::uint64_t bytes);

}  // namespace sluice
