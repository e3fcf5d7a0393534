#include "data/cache.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/error.hpp"
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

registry::Schema cache_schema() {
    registry::OptionSchema in;
    in.name = "in";
    in.default_value = Value{std::string("memory"), {}};
    in.choices = {*in.default_value, Value{std::string("disk"), {}}};
    in.help = "where samples are kept";
    registry::OptionSchema budget;
    budget.name = "budget";
    budget.help = "bytes to keep at most, such as \"2 GiB\"";
    registry::OptionSchema folder;
    folder.name = "folder";
    folder.help =
        "where samples are kept on disk, for all runs with the same data and the same stages before the cache";
    return {std::move(in), std::move(budget), std::move(folder)};
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

CacheOptions read_cache_options(const config::ComponentSpec& spec) {
    const Table given = registry::complete(cache_schema(), spec.options, "transform 'cache'", spec.origin);
    CacheOptions options;
    options.on_disk = *given.find("in")->as_string() == "disk";
    if (const Value* folder = given.find("folder"); folder != nullptr && !folder->is_null()) {
        if (!options.on_disk) {
            throw Error(Exit::config,
                        fmt::format("{}: transform 'cache': folder needs in = \"disk\"", to_string(folder->origin)));
        }
        options.folder = *folder->as_string();
    }
    const Value* budget = given.find("budget");
    if (budget == nullptr || budget->is_null()) {
        return options;
    }
    const std::string& text = *budget->as_string();
    options.budget = parse_size(text);
    if (!options.budget) {
        throw Error(
            Exit::config,
            fmt::format("{}: transform 'cache': budget = \"{}\" is not a size; a number and a unit are expected "
                        "(B, kB, MB, GB, TB, KiB, MiB, GiB, TiB), such as \"2 GiB\"",
                        to_string(budget->origin), text));
    }
    return options;
}

}  // namespace sluice::data
