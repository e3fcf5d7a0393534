// events.jsonl: one JSON object on one line for each event. Numbers that JSON cannot write (NaN, infinities) are null.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "output_file.hpp"
#include "sluice/kind/observer.h"

namespace sluice::observers {

class EventLog {
public:
    // Continues what is there up to first_step; 0 starts an empty file. The file is touched by write_out() only.
    EventLog(std::filesystem::path path, std::int64_t first_step) : file_(std::move(path)), first_step_(first_step) {}
    void add(const sluice_event& event);
    // Writes what the file lacks. Throws where that fails, and may be called again.
    void write_out();
    // Whether so much waits that it is time to write.
    [[nodiscard]] bool is_due() const { return waiting_.size() >= kDue; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }
    [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }

private:
    static constexpr std::size_t kDue = 4096;
    static constexpr std::size_t kMost = 16U << 20;

    OutputFile file_;
    std::int64_t first_step_;
    bool has_begun_ = false;  // the file is as it was at first_step_, or longer
    std::string waiting_;     // lines that are not in the file yet
    std::uint64_t lost_ = 0;  // events for which there was no room behind kMost bytes of them
};

}  // namespace sluice::observers
