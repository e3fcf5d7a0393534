#include "data/cache/cache_links.hpp"

#include <system_error>

#include "config/cache_entry.hpp"
#include "data/cache/cache.hpp"
#include "data/cache/kept_file.hpp"

namespace sluice::data {
namespace {

namespace fs = std::filesystem;

// A file that cannot be linked is made again by the training, so errors are no matter.
void link_files(const fs::path& from, const fs::path& to) {
    std::error_code failed;
    for (fs::recursive_directory_iterator entry(from, failed); entry != fs::recursive_directory_iterator();
         entry.increment(failed)) {
        const fs::path target = to / fs::relative(entry->path(), from, failed);
        if (entry->is_directory(failed)) {
            fs::create_directories(target, failed);
        } else if (entry->path().extension() == kSamplesSuffix) {
            fs::create_symlink(fs::absolute(entry->path()), target, failed);
        } else if (entry->is_regular_file(failed)) {
            fs::copy_file(entry->path(), target, failed);
        }
    }
}

void link_caches_of(const config::StreamSpec& stream, const fs::path& folder) {
    for (const config::ComponentSpec& entry : stream.map) {
        if (config::is_cache(entry) && config::is_on_disk(entry)) {
            link_files(folder_of(read_cache_options(entry)).value_or(fs::path()), folder);
        }
    }
}

}  // namespace

void link_caches(const config::PipelineSpec& spec, const fs::path& folder) {
    link_caches_of(spec.data.train, folder);
    if (spec.data.validation) {
        link_caches_of(*spec.data.validation, folder);
    }
}

}  // namespace sluice::data
