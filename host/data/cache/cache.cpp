#include "data/cache/cache.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/user_folders.hpp"
#include "config/cache_entry.hpp"
#include "registry/manifest/schema.hpp"
#include "registry/manifest/schema_check.hpp"

namespace sluice::data {

registry::Schema cache_schema() {
    registry::OptionSchema in;
    in.name = "in";
    in.default_value = Value{std::string("memory"), {}};
    in.choices = {*in.default_value, Value{std::string("disk"), {}}};
    in.help = "where to keep samples: memory or disk";
    registry::OptionSchema budget;
    budget.name = "budget";
    budget.help = "most bytes to keep, such as \"2 GiB\"; on disk it limits the whole folder";
    registry::OptionSchema folder;
    folder.name = "folder";
    folder.help =
        "folder of the disk cache; runs with the same data and the same stages before the cache share its samples";
    return {std::move(in), std::move(budget), std::move(folder)};
}

std::optional<std::filesystem::path> folder_of(const CacheOptions& options) {
    if (!options.folder.empty()) {
        return options.folder;
    }
    const auto all = cache_folder();
    return all ? std::optional(*all / "samples") : std::nullopt;
}

CacheOptions read_cache_options(const config::ComponentSpec& spec) {
    const Table given = registry::complete(cache_schema(), spec.options, "transform 'cache'", spec.origin);
    CacheOptions options;
    options.on_disk = config::is_on_disk(spec);
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
    options.budget = config::budget_of(spec);
    if (!options.budget) {
        throw Error(
            Exit::config,
            fmt::format("{}: transform 'cache': budget = \"{}\" is not a size; a number and a unit are expected "
                        "(B, kB, MB, GB, TB, KiB, MiB, GiB, TiB), such as \"2 GiB\"",
                        to_string(budget->origin), *budget->as_string()));
    }
    return options;
}

}  // namespace sluice::data
