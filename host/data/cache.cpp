#include "data/cache.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <mutex>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "registry/schema.hpp"

namespace sluice::data {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 9> kUnits{{{"B", 1.0},
                                                                     {"kB", 1e3},
                                                                     {"MB", 1e6},
                                                                     {"GB", 1e9},
                                                                     {"TB", 1e12},
                                                                     {"KiB", 0x1p10},
                                                                     {"MiB", 0x1p20},
                                                                     {"GiB", 0x1p30},
                                                                     {"TiB", 0x1p40}}};

// What an entry costs besides its bytes: nodes, vectors, the allocator's own.
constexpr std::uint64_t kEntryOverhead = 256;

registry::Schema cache_schema() {
    registry::OptionSchema in;
    in.name = "in";
    in.default_value = Value{std::string("memory"), {}};
    in.choices = {*in.default_value};
    in.help = "where samples are kept";
    registry::OptionSchema budget;
    budget.name = "budget";
    budget.help = "bytes to keep at most, such as \"2 GiB\"";
    return {std::move(in), std::move(budget)};
}

}  // namespace

std::optional<std::uint64_t> parse_size(const std::string& text) {
    double number = 0.0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    if (failure != std::errc{}) {
        return std::nullopt;
    }
    std::string_view unit(rest, static_cast<std::size_t>(end - rest));
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    for (const auto& [name, factor] : kUnits) {
        const double bytes = number * factor;
        if (unit == name && bytes >= 1.0 && bytes < 0x1p63) {
            return static_cast<std::uint64_t>(bytes);
        }
    }
    return std::nullopt;
}

std::string format_size(std::uint64_t bytes) {
    const double value = static_cast<double>(bytes);
    return value >= 0x1p30   ? fmt::format("{:.1f} GiB", value * 0x1p-30)
           : value >= 0x1p20 ? fmt::format("{:.1f} MiB", value * 0x1p-20)
           : value >= 0x1p10 ? fmt::format("{:.1f} KiB", value * 0x1p-10)
                             : fmt::format("{} B", bytes);
}

std::uint64_t cache_budget(const config::ComponentSpec& spec) {
    const Table options = registry::complete(cache_schema(), spec.options, "transform 'cache'", spec.origin);
    const Value* budget = options.find("budget");
    if (budget == nullptr || budget->is_null()) {
        return available_memory() / 4;
    }
    const std::string& text = *budget->as_string();
    const std::optional<std::uint64_t> bytes = parse_size(text);
    if (!bytes) {
        throw Error(
            Exit::config,
            fmt::format("{}: transform 'cache': budget = \"{}\" is not a size; a number and a unit are expected "
                        "(B, kB, MB, GB, TB, KiB, MiB, GiB, TiB), such as \"2 GiB\"",
                        to_string(budget->origin), text));
    }
    return *bytes;
}

const CachedSample* SampleCache::find(std::uint64_t index) const {
    const std::shared_lock lock(mutex_);
    const auto found = samples_.find(index);
    return found == samples_.end() ? nullptr : found->second.get();
}

void SampleCache::keep(std::uint64_t index, const std::string& name, std::span<const TensorView> fields) {
    std::uint64_t bytes = kEntryOverhead + name.size();
    for (const TensorView& field : fields) {
        bytes += sizeof(HostTensor) + field.bytes.size();
    }
    if (!reserve(bytes)) {
        return;
    }
    auto sample = std::make_unique<CachedSample>();
    sample->name = name;
    sample->fields.reserve(fields.size());
    for (const TensorView& field : fields) {
        sample->fields.push_back({field.spec, {field.bytes.begin(), field.bytes.end()}});
    }
    const std::unique_lock lock(mutex_);
    if (!samples_.try_emplace(index, std::move(sample)).second) {
        used_ -= bytes;
    }
}

bool SampleCache::reserve(std::uint64_t bytes) {
    std::uint64_t used = used_;
    do {
        if (bytes > budget_ - used) {
            if (!full_.exchange(true)) {
                log::info(fmt::format("{}: the cache is full ({}); samples that are not in it are made again each time",
                                      purpose_, format_size(budget_)));
            }
            return false;
        }
    } while (!used_.compare_exchange_weak(used, used + bytes));
    return true;
}

}  // namespace sluice::data
