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

// FNV-1a, 64 bits (Fowler, Noll, Vo), then the finalizer of MurmurHash3. FNV alone hardly changes the high bits between
// names that differ in their last letter.
std::uint64_t hash_of(std::string_view name) {
    std::uint64_t hash = UINT64_C(14695981039346656037);
    for (const char c : name) {
        hash = (hash ^ static_cast<unsigned char>(c)) * UINT64_C(1099511628211);
    }
    hash = (hash ^ (hash >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    hash = (hash ^ (hash >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return hash ^ (hash >> 33);
}

// Positions in the ranking of N names: [begin, end) is for validation.
struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
};

Range validation_range(const Split& split, std::size_t names) {
    if (split.fold) {
        const auto count = static_cast<std::size_t>(split.fold->count);
        const auto number = static_cast<std::size_t>(split.fold->number);
        return {names * number / count, names * (number + 1) / count};
    }
    return {0, static_cast<std::size_t>(std::lround(split.validation_share * static_cast<double>(names)))};
}

[[noreturn]] void none_left(const Split& split, std::size_t names) {
    std::ostringstream message;
    message << "no sample is left for split '" << split.part << "': there " << (names == 1 ? "is " : "are ") << names
            << " and option ";
    if (split.fold) {
        message << "'folds' is " << split.fold->count;
    } else {
        message << "'validation_share' is " << split.validation_share;
    }
    throw sdk::Failure(SLUICE_INVALID, message.str());
}

std::optional<Fold> read_fold(const sdk::Options& options) {
    const auto count = options.maybe_integer("folds");
    const auto number = options.maybe_integer("fold");
    if (!count && !number) {
        return std::nullopt;
    }
    if (!count || !number) {
        throw sdk::Failure(SLUICE_INVALID, "options 'folds' and 'fold' belong together: folds = 5, fold = 0");
    }
    if (*number >= *count) {
        throw sdk::Failure(SLUICE_INVALID, "option 'fold' is " + std::to_string(*number) + ", but with folds = " +
                                               std::to_string(*count) + " the last is " + std::to_string(*count - 1));
    }
    return Fold{*number, *count};
}

}  // namespace

Split read_split(const sdk::Options& options) {
    return {options.string("split"), options.number("validation_share"), read_fold(options)};
}

std::vector<std::string> split_by_name(std::vector<std::string> names, const Split& split) {
    if (split.part == "all") {
        return names;
    }
    std::vector<std::pair<std::uint64_t, std::string>> ranking;
    for (const std::string& name : names) {
        ranking.emplace_back(hash_of(name), name);
    }
    std::sort(ranking.begin(), ranking.end());

    const std::size_t total = names.size();
    const auto [begin, end] = validation_range(split, total);
    std::set<std::string_view> validation;
    for (std::size_t place = begin; place < end; ++place) {
        validation.insert(ranking[place].second);
    }
    std::erase_if(names,
                  [&](const std::string& name) { return validation.contains(name) != (split.part == "validation"); });
    if (names.empty()) {
        none_left(split, total);
    }
    return names;
}

}  // namespace sluice::shared_files
