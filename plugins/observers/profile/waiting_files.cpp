// Files of windows that are written completely or not at all.
#include "profile/waiting_files.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "files/output_file.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::observers {
namespace {

constexpr std::size_t kMostBytes = 64U << 20;

void make_parent(const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error) {
        throw sdk::Failure(SLUICE_FAILED,
                           "cannot create folder " + file.parent_path().string() + ": " + error.message());
    }
}

// A second name costs no space. Some file systems have no second names; there the content is written again.
void name_again(const std::filesystem::path& file, const std::string& content, const std::filesystem::path& newest) {
    const std::filesystem::path part = newest.string() + ".part";
    std::error_code error;
    std::filesystem::remove(part, error);
    std::filesystem::create_hard_link(file, part, error);
    if (!error) {
        std::filesystem::rename(part, newest, error);
    }
    // rename() does nothing if both names already are the same file.
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    if (error) {
        replace_file(newest, content);
    }
}

}  // namespace

void WaitingFiles::add(std::filesystem::path file, std::string content, std::filesystem::path newest) {
    std::erase_if(files_, [&](const Waiting& old) { return old.file == file; });
    files_.push_back({std::move(file), std::move(content), std::move(newest)});
    std::size_t bytes = 0;
    for (const Waiting& one : files_) {
        bytes += one.content.size();
    }
    while (bytes > kMostBytes && files_.size() > 1) {
        bytes -= files_.front().content.size();
        lost_.push_back(files_.front().file);
        files_.erase(files_.begin());
    }
}

void WaitingFiles::write_out() {
    while (!files_.empty()) {
        const Waiting& next = files_.front();
        make_parent(next.file);
        replace_file(next.file, next.content);
        if (!next.newest.empty()) {
            name_again(next.file, next.content, next.newest);
        }
        files_.erase(files_.begin());
    }
}

void WaitingFiles::expect_none_lost() const {
    if (!lost_.empty()) {
        throw sdk::Failure(SLUICE_FAILED,
                           lost_.front().string() +
                               (lost_.size() > 1 ? " and " + std::to_string(lost_.size() - 1) + " more are" : " is") +
                               " missing, because it could not be written and only 64 MiB of windows can wait");
    }
}

}  // namespace sluice::observers
