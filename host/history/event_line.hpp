// One line of a run's events.jsonl.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::history {

enum class EventKind { run_begin, step, epoch_end, evaluation, samples, checkpoint, run_end };

struct EventLine {
    EventKind kind = EventKind::step;
    std::int64_t epoch = 0;
    std::int64_t step = 0;
    double seconds = 0.0;  // since the run began or was resumed
    std::string text{};
    std::vector<std::pair<std::string, double>> scalars{};

    // Returns `missing` if there is no such scalar.
    [[nodiscard]] double scalar(std::string_view name, double missing) const;
};

// Returns nothing if the line is damaged, or of a kind that is not in EventKind. A scalar that is no number is NaN.
std::optional<EventLine> parse_event(const std::string& line);

}  // namespace sluice::history
