// The folder of a run's event files.
#include "tensorboard/event_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <protozero/exception.hpp>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "sluice/sdk/guard.hpp"
#include "tensorboard/event_messages.hpp"
#include "tfrecord_frames/frame.hpp"

namespace sluice::observers::tensorboard {
namespace {

namespace fs = std::filesystem;
namespace frames = tfrecord_frames;

constexpr std::string_view kPrefix = "events.out.tfevents.";

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string_view text_of_bytes(std::span<const std::uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void append_frame(std::string& to, std::uint64_t, std::string_view record) {
    to += text_of_bytes(frames::head_of(record.size()));
    to += record;
    to += text_of_bytes(frames::foot_of(bytes_of(record)));
}

// Returns the record that begins at the start of `file`; data() is null if it is damaged or cut off.
std::string_view record_of(std::string_view file) {
    if (file.size() < frames::kHead + frames::kFoot) {
        return {};
    }
    std::uint64_t length = 0;
    file.copy(reinterpret_cast<char*>(&length), sizeof(length));
    if (length > file.size() - frames::kHead - frames::kFoot ||
        file.substr(0, frames::kHead) != text_of_bytes(frames::head_of(length))) {
        return {};
    }
    const std::string_view record = file.substr(frames::kHead, length);
    return file.substr(frames::kHead + length, frames::kFoot) == text_of_bytes(frames::foot_of(bytes_of(record)))
               ? record
               : std::string_view{};
}

// Returns the bytes that stay of a file; 0: none but those that every file has.
std::uint64_t kept_bytes(std::string_view file, std::int64_t last_step) {
    std::uint64_t end = 0;
    std::size_t count = 0;
    for (std::string_view record; (record = record_of(file.substr(end))).data() != nullptr; ++count) {
        try {
            const MessageFacts facts = facts_of(record);
            if (facts.step > last_step || facts.is_session_end) {
                break;
            }
        } catch (const protozero::exception&) {
            break;
        }
        end += frames::kHead + record.size() + frames::kFoot;
    }
    return count > 1 ? end : 0;
}

std::vector<fs::path> event_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (at->path().filename().string().starts_with(kPrefix)) {
            files.push_back(at->path());
        }
    }
    return files;
}

std::string host_name() {
    char name[256] = {};
    return ::gethostname(name, sizeof(name) - 1) == 0 && name[0] != '\0' ? name : "localhost";
}

}  // namespace

RecordFile::Format event_format() { return {"", append_frame}; }

fs::path next_event_file(const fs::path& folder, std::int64_t seconds) {
    for (const fs::path& file : event_files(folder)) {
        const std::string name = file.filename().string();
        const long long found = std::strtoll(name.c_str() + kPrefix.size(), nullptr, 10);
        if (found >= seconds && found < seconds + (1LL << 31)) {  // a clock that was set back, or the same second
            seconds = found + 1;
        }
    }
    return folder / (std::string(kPrefix) + std::to_string(seconds) + "." + host_name() + "." +
                     std::to_string(::getpid()) + ".0");
}

void cut_event_files(const fs::path& folder, const fs::path& own, std::int64_t last_step) {
    for (const fs::path& file : event_files(folder)) {
        if (file == own) {
            continue;
        }
        const std::string content = read_file(file);
        const std::uint64_t kept = last_step == 0 ? 0 : kept_bytes(content, last_step);
        std::error_code error;
        if (kept == 0) {
            fs::remove(file, error);
        } else if (kept < content.size()) {
            fs::resize_file(file, kept, error);
        }
        if (error) {
            throw sdk::Failure(SLUICE_FAILED, "cannot cut off " + file.string() + " after step " +
                                                  std::to_string(last_step) + ": " + error.message());
        }
    }
}

}  // namespace sluice::observers::tensorboard
