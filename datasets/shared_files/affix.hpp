// Names of two folders that differ in the same part all along, such as '0001' and '0001_mask'.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace sluice::shared_files {

struct Affix {
    std::string first;   // a name of the first folder
    std::string second;  // that of the second which belongs to it
    std::size_t count;   // names that have such a partner
};

// By names of both folders that have no partner. Nothing unless at least half of the fewer have one by a single rule.
std::optional<Affix> find_affix(std::span<const std::string> first, std::span<const std::string> second);

}  // namespace sluice::shared_files
