// events.jsonl: one JSON object on one line for each event. Numbers that JSON cannot write (NaN, infinities) are null.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "files/output_file.hpp"
#include "sluice/kind/observer.h"

namespace sluice::observers {

class EventLog {
public:
    // Keeps the existing events up to first_step; 0: starts an empty file. Only write_out() touches the file.
    EventLog(std::filesystem::path path, std::int64_t first_step) : file_(std::move(path)), first_step_(first_step) {}
    void add(const sluice_event& event);
    // Writes what is not in the file yet. Throws if that fails, and may be called again.
    void write_out();
    // True if enough events wait to be written.
    [[nodiscard]] bool is_due() const { return waiting_.size() >= kDue; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }
    [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }

private:
    static constexpr std::size_t kDue = 4096;
    static constexpr std::size_t kMost = 16U << 20;

    OutputFile file_;
    std::int64_t first_step_;
    bool has_begun_ = false;  // the file has been created, or cut off after first_step_
    std::string waiting_;     // lines that are not in the file yet
    std::uint64_t lost_ = 0;  // events dropped because kMost bytes were already waiting
};

}  // namespace sluice::observers
