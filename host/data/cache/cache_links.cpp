#include "data/cache/cache_links.hpp"

#include <system_error>
#include <vector>

#include "config/cache_entry.hpp"
#include "data/cache/cache.hpp"
#include "data/cache/kept_file.hpp"

namespace sluice::data {
namespace {

namespace fs = std::filesystem;

// Links the samples of one set of inputs. A file that cannot be linked is made again by the training, so errors are no
// matter.
void link_subfolder(const fs::path& from, const fs::path& to) {
    std::error_code failed;
    const std::vector<fs::path> files = kept_files(from);
    if (files.empty()) {
        return;
    }
    fs::create_directories(to, failed);
    for (const fs::path& file : files) {
        fs::create_symlink(fs::absolute(file), to / file.filename(), failed);
    }
}

void link_files(const fs::path& from, const fs::path& to) {
    std::error_code failed;
    for (fs::directory_iterator entry(from, failed); entry != fs::directory_iterator(); entry.increment(failed)) {
        if (entry->is_directory(failed)) {
            link_subfolder(entry->path(), to / entry->path().filename());
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
