// Sizes in bytes, as users write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sluice {

// Parses "2 GiB", "1.5 GB" or "800 B" into bytes; nullopt if `text` is not a positive size.
// Units: B, kB, MB, GB, TB and KiB, MiB, GiB, TiB.
std::optional<std::uint64_t> parse_size(const std::string& text);

// Formats bytes, for example as "2.0 GiB".
std::string format_size(std::uint64_t bytes);

}  // namespace sluice
