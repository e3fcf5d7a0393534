// The innermost span at each time on a thread: nested spans, cut into pieces that do not overlap.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "profile/window.hpp"

namespace sluice::profile {

// Times that differ by less are the same, since files hold whole nanoseconds.
inline constexpr double kTick = 0.5e-9;

struct Piece {
    double begin = 0.0;
    double end = 0.0;
    std::size_t span = 0;  // index in Window::spans
};

// Returns the pieces of all spans for which `selects` is true, by time. Of spans that overlap partly, the later one
// counts.
std::vector<Piece> pieces_of(const Window& window, const std::function<bool(const WindowSpan&)>& selects);

// Returns the last piece that begins before `time`; null if there is none.
const Piece* last_before(const std::vector<Piece>& pieces, double time);

// Calls `visit(piece, begin, end)` for each part of [begin, end) in order; `piece` is null where there is none.
void visit_parts(const std::vector<Piece>& pieces, double begin, double end,
                 const std::function<void(const Piece*, double, double)>& visit);

// True if the span is the launch of a kernel.
[[nodiscard]] inline bool is_launch(const WindowSpan& span) {
    return (span.kind >= SLUICE_SPAN_FORWARD && span.kind <= SLUICE_SPAN_OPTIMIZER) || span.kind == SLUICE_SPAN_KERNEL;
}

// True if an input thread worked on a sample or a batch.
[[nodiscard]] inline bool is_input(const WindowSpan& span) {
    return span.kind == SLUICE_SPAN_READ || span.kind == SLUICE_SPAN_PREPROCESS;
}

}  // namespace sluice::profile
