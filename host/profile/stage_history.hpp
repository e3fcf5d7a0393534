// The latest stages of a loop in order, so that its time can be divided at a moment that has passed.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "profile/stage.hpp"

namespace sluice::profile {

// [any thread]
class StageHistory {
public:
    // A stage of the loop. Some of its seconds count as another stage.
    struct Piece {
        Stage stage = Stage::other;
        double begin = 0.0;  // as now()
        double end = 0.0;    // as now()
        Stage moved_to = Stage::other;
        double moved = 0.0;  // seconds that count as `moved_to`
    };

    StageHistory() { pieces_.reserve(kMostPieces); }

    // Adds a stage that ended just now. In a full history, the latest stage goes on instead.
    void add(const Piece& piece);
    // Removes the time before `time` and returns it.
    [[nodiscard]] StageSeconds take(double time);
    void clear();

private:
    static constexpr std::size_t kMostPieces = 16384;  // a step has about 10 for each micro-batch

    std::mutex mutex_;  // guards the pieces
    std::vector<Piece> pieces_;
};

}  // namespace sluice::profile
