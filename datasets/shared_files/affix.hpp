// Finds a systematic difference between the names of two folders, such as '0001' and '0001_mask'.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace sluice::shared_files {

struct Affix {
    std::string first;   // a name of the first folder
    std::string second;  // its partner in the second folder
    std::size_t count;   // names of the first folder that have such a partner
};

// `first` and `second`: names of both folders that have no partner yet. Returns std::nullopt unless one rule finds
// a partner for at least half of the smaller list.
std::optional<Affix> find_affix(std::span<const std::string> first, std::span<const std::string> second);

}  // namespace sluice::shared_files
