#include "name_split.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "sluice/sdk/guard.hpp"

namespace sluice::shared_files {
namespace {

// FNV-1a, 64 bits (Fowler, Noll, Vo), then the finalizer of MurmurHash3, because FNV alone hardly moves the high bits
// for names that differ in their last letter.
std::uint64_t hash_of(std::string_view name) {
    std::uint64_t hash = UINT64_C(14695981039346656037);
    for (const char c : name) {
        hash = (hash ^ static_cast<unsigned char>(c)) * UINT64_C(1099511628211);
    }
    hash = (hash ^ (hash >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    hash = (hash ^ (hash >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return hash ^ (hash >> 33);
}

}  // namespace

std::vector<std::string> split_by_name(std::vector<std::string> names, const std::string& split,
                                       double validation_share) {
    if (split == "all") {
        return names;
    }
    std::vector<std::pair<std::uint64_t, std::string>> ranking;
    for (const std::string& name : names) {
        ranking.emplace_back(hash_of(name), name);
    }
    std::sort(ranking.begin(), ranking.end());
    ranking.resize(static_cast<std::size_t>(std::lround(validation_share * static_cast<double>(names.size()))));

    std::set<std::string_view> validation;
    for (const auto& [hash, name] : ranking) {
        validation.insert(name);
    }
    const std::size_t total = names.size();
    std::erase_if(names, [&](const std::string& name) { return validation.contains(name) != (split == "validation"); });
    if (names.empty()) {
        std::ostringstream message;
        message << "no sample is left for split '" << split << "': there are " << total
                << " and option 'validation_share' is " << validation_share;
        throw sdk::Failure(SLUICE_INVALID, message.str());
    }
    return names;
}

}  // namespace sluice::shared_files
