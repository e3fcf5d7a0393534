// Sheets of samples as PNG files in the run's folder.
#include "images.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "files/output_file.hpp"
#include "files/retry.hpp"
#include "pictures/png_writer.hpp"
#include "pictures/sample_sheet.hpp"

namespace sluice::observers {
namespace {

constexpr std::size_t kMostWaiting = 64U << 20;  // most bytes of sheets that could not be written yet

// "epoch_001" goes to samples/, because there will be many of its kind; "batch_0" goes to the run's folder.
std::filesystem::path file_for(const std::filesystem::path& folder, const std::string& name) {
    return (name == "batch_0" ? folder : folder / "samples") / (name + ".png");
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        throw sdk::Failure(SLUICE_FAILED, "cannot create folder " + folder.string() + ": " + error.message());
    }
}

}  // namespace

Images::Images(sdk::Host, sdk::Options options) : count_(options.integer("count")) {}

// The events after SAMPLES only serve to retry failed writes.
std::uint64_t Images::wants() const noexcept {
    return (1U << SLUICE_EVENT_RUN_BEGIN) | (1U << SLUICE_EVENT_SAMPLES) | (1U << SLUICE_EVENT_EVALUATION) |
           (1U << SLUICE_EVENT_CHECKPOINT) | (1U << SLUICE_EVENT_RUN_END);
}

void Images::on_event(const sluice_event& event) {
    if (event.kind == SLUICE_EVENT_RUN_BEGIN) {
        folder_ = sdk::view(event.text);
    } else if (event.kind == SLUICE_EVENT_SAMPLES) {
        add(event);
    }
    if (!waiting_.empty()) {
        write_all({[this] { write_out(); }}, kTries);
    }
    if (event.kind == SLUICE_EVENT_RUN_END && lost_ > 0) {
        throw sdk::Failure(SLUICE_FAILED, std::to_string(lost_) +
                                              (lost_ == 1 ? " sheet of samples is" : " sheets of samples are") +
                                              " missing in " + folder_.string() +
                                              ", because it could not be written and only 64 MiB of sheets can wait");
    }
}

void Images::add(const sluice_event& samples) {
    const Sheet sheet = sheet_of(samples, count_);
    const std::filesystem::path file = file_for(folder_, std::string(sdk::view(samples.text)));
    std::string content =
        png_of(sheet.pixels(), static_cast<std::uint32_t>(sheet.width()), static_cast<std::uint32_t>(sheet.height()));
    std::erase_if(waiting_, [&](const Waiting& old) { return old.file == file; });
    waiting_.push_back({file, std::move(content)});
    drop_old();
}

// Drops the oldest sheets, so that those that wait take at most kMostWaiting bytes. The newest always stays.
void Images::drop_old() {
    std::size_t bytes = 0;
    for (const Waiting& one : waiting_) {
        bytes += one.content.size();
    }
    while (bytes > kMostWaiting && waiting_.size() > 1) {
        bytes -= waiting_.front().content.size();
        waiting_.erase(waiting_.begin());
        ++lost_;
    }
}

void Images::write_out() {
    while (!waiting_.empty()) {
        make_folder(waiting_.front().file.parent_path());
        replace_file(waiting_.front().file, waiting_.front().content);
        waiting_.erase(waiting_.begin());
    }
}

}  // namespace sluice::observers
