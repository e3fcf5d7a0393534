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
        Stage other = Stage::other;
        double moved = 0.0;  // seconds that count as `other`
    };

    StageHistory() { pieces_.reserve(kMostPieces); }

    // Adds a stage that ended just now. A full history forgets all that it has.
    void add(const Piece& piece);
    // Removes the time before `time` and returns it.
    [[nodiscard]] StageSeconds take(double time);
    void clear();

private:
    static constexpr std::size_t kMostPieces = 4096;  // a step has about 15

    std::mutex mutex_;  // guards the pieces
    std::vector<Piece> pieces_;
};

}  // namespace sluice::profile
