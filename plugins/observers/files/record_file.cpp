// A file of records that grows at its end.
#include "files/record_file.hpp"

#include <system_error>
#include <utility>

#include "sluice/sdk/guard.hpp"

namespace sluice::observers {
namespace {

constexpr std::size_t kDueBytes = 16U << 10;
constexpr double kDueSeconds = 1.0;
constexpr std::size_t kMostWaitingBytes = 64U << 20;

}  // namespace

RecordFile::RecordFile(std::filesystem::path top, std::filesystem::path path, Format format)
    : top_(std::move(top)), file_(std::move(path)), format_(std::move(format)) {}

void RecordFile::continue_after(std::uint64_t size) {
    file_.continue_after(size);
    has_begun_ = true;
}

void RecordFile::add(std::string record) {
    if (waiting_bytes_ + record.size() > kMostWaitingBytes) {
        ++lost_;
        return;
    }
    waiting_bytes_ += record.size();
    waiting_.push_back(std::move(record));
}

bool RecordFile::is_due(double seconds) const {
    return waiting_bytes_ >= kDueBytes || seconds - written_at_ >= kDueSeconds || seconds < written_at_;
}

void RecordFile::write_out(double seconds) {
    if (must_begin()) {
        begin();
    }
    if (!waiting_.empty()) {
        std::string bytes;
        for (const std::string& record : waiting_) {
            format_.append(bytes, file_.size() + bytes.size(), record);
        }
        file_.append(bytes);
        waiting_.clear();
        waiting_bytes_ = 0;
    }
    written_at_ = seconds;
}

void RecordFile::expect_complete() const {
    if (lost_ > 0) {
        throw sdk::Failure(SLUICE_FAILED, std::to_string(lost_) + (lost_ == 1 ? " record is" : " records are") +
                                              " missing in " + path().string() +
                                              ", because it could not be written and only 64 MiB of records can wait");
    }
}

// Readers of a file that lacks its beginning find nothing in it.
bool RecordFile::must_begin() const {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path(), error);
    return !has_begun_ || error == std::errc::no_such_file_or_directory || (!error && size < file_.size());
}

void RecordFile::begin() {
    make_folders(top_, path().parent_path());
    std::string bytes = format_.head;
    for (const std::string& record : first_) {
        format_.append(bytes, bytes.size(), record);
    }
    file_.replace(bytes);
    has_begun_ = true;
}

}  // namespace sluice::observers
