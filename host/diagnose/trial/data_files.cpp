#include "diagnose/trial/data_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <string>
#include <system_error>

namespace sluice::diagnose {
namespace {

namespace fs = std::filesystem;

void add_files(const fs::path& path, std::size_t most, std::vector<fs::path>& files) {
    std::error_code failed;
    if (fs::is_regular_file(path, failed)) {
        files.push_back(path);
        return;
    }
    if (!fs::is_directory(path, failed)) {
        return;
    }
    for (fs::recursive_directory_iterator entry(path, failed);
         entry != fs::recursive_directory_iterator() && files.size() < most; entry.increment(failed)) {
        if (entry->is_regular_file(failed)) {
            files.push_back(entry->path());
        }
    }
}

}  // namespace

std::vector<fs::path> data_files(const config::PipelineSpec& spec, std::size_t most) {
    std::vector<fs::path> files;
    for (const config::SourceSpec& source : spec.data.train.sources) {
        for (const auto& [key, value] : source.component.options.entries()) {
            const std::string* const text = value.as_string();
            if (text != nullptr && !text->empty() && files.size() < most) {
                add_files(*text, most, files);
            }
        }
    }
    return files;
}

void drop_from_page_cache(const std::vector<fs::path>& files) {
    for (const fs::path& file : files) {
        const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor >= 0) {
            ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
            ::close(descriptor);
        }
    }
}

}  // namespace sluice::diagnose
