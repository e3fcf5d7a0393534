#include "data/cache/open_cache.hpp"

#include "base/error.hpp"
#include "data/cache/disk_cache.hpp"
#include "data/cache/memory_cache.hpp"

namespace sluice::data {

std::unique_ptr<SampleCache> open_cache(const config::ComponentSpec& entry, const CacheKey& key,
                                        const std::string& purpose, std::optional<std::uint64_t> bytes) {
    const CacheOptions options = read_cache_options(entry);
    if (!options.on_disk) {
        return std::make_unique<MemoryCache>(options.budget ? options.budget : bytes, purpose);
    }
    const auto folder = folder_of(options);
    if (!folder) {
        throw Error(Exit::config, to_string(entry.origin) + ": " + purpose +
                                      ": no folder is known for the disk cache; give 'folder', or set SLUICE_CACHE");
    }
    return std::make_unique<DiskCache>(*folder, options.budget, key, purpose);
}

}  // namespace sluice::data
