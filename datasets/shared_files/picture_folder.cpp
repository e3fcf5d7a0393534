#include "picture_folder.hpp"

#include <span>
#include <system_error>
#include <utility>

#include "log_once.hpp"
#include "near_names.hpp"
#include "sluice/sdk/guard.hpp"
#include "working_folder.hpp"

namespace fs = std::filesystem;

namespace sluice::shared_files {

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
    const fs::path near = near_path(folder);
    const std::string other =
        near.empty() || fs::exists(status)
            ? ""
            : "; the name of '" + near.string() + "' differs only " + difference(folder.string(), near.string());
    throw sdk::Failure(SLUICE_INVALID, "option '" + option + "': '" + folder.string() + "' " + found + other +
                                           working_folder_text(folder));
}

std::vector<std::string> list_pictures(const fs::path& folder, const std::string& option, SkippedFiles& skipped_files,
                                       Suffixes suffixes) {
    require_folder(folder, option);
    FoundPictures found = find_pictures(folder, suffixes);
    for (const auto& [file, reason] : found.skipped) {
        skipped_files.add(file, reason);
    }
    if (!found.unlisted.empty()) {
        const auto& [unlisted, why] = found.unlisted.front();
        throw sdk::Failure(SLUICE_INVALID, "option '" + option + "': " + why + ": cannot list '" + unlisted + "'");
    }
    if (found.files.empty()) {
        const SkippedFiles::Line line = skipped_files.line();
        throw sdk::Failure(SLUICE_INVALID, "option '" + option + "': no " + text_of(suffixes) + " file in '" +
                                               folder.string() + "' or below it" +
                                               (line.text.empty() ? "" : "; " + line.text));
    }
    return std::move(found.files);
}

void warn_of_forms(const sdk::Host& host, std::span<const std::string> names) {
    if (const std::string found = differ_in_form(names); !found.empty()) {
        warn_once(host, found);
    }
}

void log_skipped_files(const sdk::Host& host, const SkippedFiles& skipped_files) {
    const SkippedFiles::Line line = skipped_files.line();
    if (line.is_warning) {
        warn_once(host, line.text);
    } else if (!line.text.empty()) {
        info_once(host, line.text);
    }
}

}  // namespace sluice::shared_files
