// events.jsonl: one JSON object on one line for each event. Numbers that JSON cannot write (NaN, infinities) are null.
#pragma once

#include <cstdint>
#include <filesystem>

#include "output_file.hpp"
#include "sluice/kind/observer.h"

namespace sluice::observers {

class EventLog {
public:
    // Continues what is there up to first_step; 0 starts an empty file.
    EventLog(const std::filesystem::path& path, std::int64_t first_step);
    void add(const sluice_event& event);
    void flush() { file_.flush(); }

private:
    OutputFile file_;
};

}  // namespace sluice::observers
