// Keeps the latest stages of a loop in order, so that its time can be divided at a moment that has passed.
#pragma once

#include <algorithm>
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
    void add(const Piece& piece) {
        const std::lock_guard lock(mutex_);
        if (pieces_.size() == kMostPieces) {
            pieces_.back().end = piece.end;
        } else {
            pieces_.push_back(piece);
        }
    }
    // Removes the time before `time` and returns it. A piece that `time` divides keeps its share of the moved seconds.
    [[nodiscard]] StageSeconds take(double time) {
        const std::lock_guard lock(mutex_);
        StageSeconds taken;
        auto piece = pieces_.begin();
        for (; piece != pieces_.end() && piece->begin < time; ++piece) {
            const double length = piece->end - piece->begin;
            const double seconds = std::min(piece->end, time) - piece->begin;
            const double moved = length > 0.0 ? piece->moved * seconds / length : 0.0;
            taken[piece->stage] += seconds - moved;
            taken[piece->moved_to] += moved;
            if (piece->end > time) {
                piece->begin = time;
                piece->moved -= moved;
                break;
            }
        }
        pieces_.erase(pieces_.begin(), piece);
        return taken;
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        pieces_.clear();
    }

private:
    static constexpr std::size_t kMostPieces = 16384;  // a step has about 10 for each micro-batch

    std::mutex mutex_;  // guards the pieces
    std::vector<Piece> pieces_;
};

}  // namespace sluice::profile
