#include "picture_folder.hpp"

#include <algorithm>
#include <cctype>

#include "sluice/sdk/guard.hpp"

namespace fs = std::filesystem;

namespace sluice::shared_files {
namespace {

// Whether following this link leads back to a folder that we are in.
bool leads_back(const fs::directory_entry& entry) {
    if (!entry.is_symlink()) {
        return false;
    }
    const fs::path target = fs::canonical(entry.path());
    const fs::path here = fs::canonical(entry.path().parent_path());
    return std::mismatch(target.begin(), target.end(), here.begin(), here.end()).first == target.end();
}

// Goes through one folder and those below it.
class Walk {
public:
    Walk(const fs::path& folder, Suffixes suffixes, PassedOver& passed_over)
        : folder_(folder), suffixes_(suffixes), passed_over_(passed_over) {}

    void collect(const fs::path& relative, std::vector<std::string>& names) const {
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / relative)) {
            const fs::path name = relative / entry.path().filename();
            if (name.filename().string().front() == '.') {
                passed_over_.add_hidden(entry.path());
                continue;
            }
            const fs::file_status status = status_of(entry);
            if (fs::is_directory(status) && !leads_back(entry)) {
                collect(name, names);
            } else if (fs::is_directory(status)) {
                passed_over_.add_loop(entry.path());
            } else if (!fs::exists(status)) {
                passed_over_.add_dangling_link(entry.path());
            } else if (!fs::is_regular_file(status)) {
                passed_over_.add_special(entry.path());
            } else if (std::ranges::find(suffixes_, small_suffix(name)) == suffixes_.end()) {
                passed_over_.add_suffix(entry.path());
            } else {
                names.push_back(name.string());
            }
        }
    }

private:
    // Links that lead in a circle count as those that lead nowhere.
    static fs::file_status status_of(const fs::directory_entry& entry) {
        std::error_code problem;
        const fs::file_status status = entry.status(problem);
        if (!fs::status_known(status) && problem != std::errc::too_many_symbolic_link_levels) {
            throw fs::filesystem_error("", entry.path(), problem);
        }
        return status;
    }

    const fs::path& folder_;
    Suffixes suffixes_;
    PassedOver& passed_over_;
};

}  // namespace

std::string small_suffix(const fs::path& file) {
    std::string suffix = file.extension().string();
    std::ranges::transform(suffix, suffix.begin(), [](unsigned char c) { return std::tolower(c); });
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

std::string why_no_file(const fs::path& file) {
    std::error_code problem;
    const fs::file_status status = fs::status(file, problem);
    if (fs::is_regular_file(status)) {
        return {};
    }
    const bool is_known = fs::status_known(status);
    return is_known ? "there is no file '" + file.string() + "'"
                    : "'" + file.string() + "' cannot be read: " + problem.message();
}

bool is_folder(const fs::path& folder, const std::string& option) {
    std::error_code problem;
    const fs::file_status status = fs::status(folder, problem);
    if (!fs::status_known(status)) {
        throw sdk::Failure(SLUICE_INVALID,
                           "option '" + option + "': '" + folder.string() + "' cannot be read: " + problem.message());
    }
    return fs::is_directory(status);
}

void require_folder(const fs::path& folder, const std::string& option) {
    std::error_code problem;
    const fs::file_status status = fs::status(folder, problem);
    if (fs::is_directory(status)) {
        return;
    }
    const std::string found = status.type() == fs::file_type::not_found ? "does not exist"
                              : fs::exists(status)                      ? "is not a folder"
                                                                        : "cannot be read: " + problem.message();
    throw sdk::Failure(SLUICE_INVALID, "option '" + option + "': '" + folder.string() + "' " + found +
                                           " (looked for from " + fs::current_path(problem).string() + ")");
}

std::vector<std::string> list_pictures(const fs::path& folder, const std::string& option, PassedOver& passed_over,
                                       Suffixes suffixes) {
    require_folder(folder, option);
    std::vector<std::string> names;
    try {
        Walk(folder, suffixes, passed_over).collect("", names);
    } catch (const fs::filesystem_error& error) {
        throw sdk::Failure(SLUICE_INVALID, "option '" + option + "': cannot list '" + error.path1().string() +
                                               "': " + error.code().message());
    }
    if (names.empty()) {
        throw sdk::Failure(SLUICE_INVALID, "option '" + option + "': no " + text_of(suffixes) + " file in '" +
                                               folder.string() + "' or below it");
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace sluice::shared_files
