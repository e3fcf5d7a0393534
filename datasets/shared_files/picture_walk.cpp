#include "picture_walk.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <set>
#include <system_error>

namespace fs = std::filesystem;

namespace sluice::shared_files {
namespace {

class Walk {
public:
    Walk(const fs::path& folder, Suffixes suffixes) : folder_(folder), suffixes_(suffixes) {}

    FoundPictures find() && {
        enter("");
        while (!links_.empty()) {
            const fs::path link = std::move(links_.front());
            links_.pop_front();
            enter(link);
        }
        std::ranges::sort(found_.files);
        return std::move(found_);
    }

private:
    void enter(const fs::path& relative) {
        struct stat status {};
        if (::stat((folder_ / relative).c_str(), &status) == 0 &&
            !entered_.emplace(status.st_dev, status.st_ino).second) {
            skip(relative, Skip::loop);
            return;
        }
        // Names are sorted, so that every machine follows the same one of several links to a folder.
        std::set<fs::path> names;
        std::error_code error;
        for (fs::directory_iterator at(folder_ / relative, error), end; !error && at != end; at.increment(error)) {
            if (const fs::path name = at->path().filename(); name.native().front() != '.') {
                names.insert(name);
            } else {
                skip(relative / name, Skip::hidden);
            }
        }
        if (error) {
            found_.unlisted.emplace_back((folder_ / relative).string(), error.message());
        }
        for (const fs::path& name : names) {
            add(relative / name);
        }
    }

    void add(const fs::path& relative) {
        std::error_code error;
        const fs::file_status status = fs::status(folder_ / relative, error);
        if (fs::is_regular_file(status)) {
            if (std::ranges::find(suffixes_, small_suffix(relative)) != suffixes_.end()) {
                found_.files.push_back(relative.string());
            } else {
                skip(relative, Skip::suffix);
            }
        } else if (fs::is_directory(status)) {
            if (fs::is_symlink(fs::symlink_status(folder_ / relative, error))) {
                links_.push_back(relative);
            } else {
                enter(relative);
            }
        } else if (status.type() == fs::file_type::none && error != std::errc::too_many_symbolic_link_levels) {
            found_.unlisted.emplace_back((folder_ / relative).string(), error.message());
        } else {
            skip(relative, fs::exists(status) ? Skip::special : Skip::dangling_link);
        }
    }

    void skip(const fs::path& relative, Skip reason) {
        found_.skipped.emplace_back((folder_ / relative).string(), reason);
    }

    const fs::path& folder_;
    Suffixes suffixes_;
    std::deque<fs::path> links_;
    std::set<std::pair<dev_t, ino_t>> entered_;
    FoundPictures found_;
};

}  // namespace

std::string small_suffix(const fs::path& file) {
    std::string suffix = file.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) { return std::tolower(c); });
    return suffix;
}

std::string text_of(Suffixes suffixes) {
    std::string text;
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
        text += i == 0 ? "" : i + 1 < suffixes.size() ? ", " : " or ";
        text += suffixes[i];
    }
    return text;
}

FoundPictures find_pictures(const fs::path& folder, Suffixes suffixes) { return Walk(folder, suffixes).find(); }

}  // namespace sluice::shared_files
