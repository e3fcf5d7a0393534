#include "picture_folder.hpp"

#include <algorithm>
#include <cctype>

#include "sluice/sdk/guard.hpp"

namespace fs = std::filesystem;

namespace sluice::shared_files {
namespace {

bool has_suffix(const fs::path& file, Suffixes suffixes) {
    std::string suffix = file.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) { return std::tolower(c); });
    return std::ranges::find(suffixes, suffix) != suffixes.end();
}

// Whether following this link leads back to a folder that we are in.
bool leads_back(const fs::directory_entry& entry) {
    if (!entry.is_symlink()) {
        return false;
    }
    const fs::path target = fs::canonical(entry.path());
    const fs::path here = fs::canonical(entry.path().parent_path());
    return std::mismatch(target.begin(), target.end(), here.begin(), here.end()).first == target.end();
}

void collect(const fs::path& folder, const fs::path& relative, Suffixes suffixes, std::vector<std::string>& names) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / relative)) {
        const fs::path name = relative / entry.path().filename();
        if (name.filename().string().front() == '.') {
            continue;
        }
        if (entry.is_directory()) {
            if (!leads_back(entry)) {
                collect(folder, name, suffixes, names);
            }
        } else if (entry.is_regular_file() && has_suffix(name, suffixes)) {
            names.push_back(name.string());
        }
    }
}

}  // namespace

std::string text_of(Suffixes suffixes) {
    std::string text;
    for (std::size_t i = 0; i < suffixes.size(); ++i) {
        text += i == 0 ? "" : i + 1 < suffixes.size() ? ", " : " or ";
        text += suffixes[i];
    }
    return text;
}

void require_folder(const fs::path& folder, const std::string& option) {
    std::error_code unused;
    if (fs::is_directory(folder, unused)) {
        return;
    }
    const char* found = fs::exists(folder, unused) ? "' is not a folder" : "' does not exist";
    throw sdk::Failure(SLUICE_INVALID, "option '" + option + "': '" + folder.string() + found + " (looked for from " +
                                           fs::current_path(unused).string() + ")");
}

std::vector<std::string> list_pictures(const fs::path& folder, const std::string& option, Suffixes suffixes) {
    require_folder(folder, option);
    std::vector<std::string> names;
    try {
        collect(folder, "", suffixes, names);
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
