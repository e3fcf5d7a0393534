#include "profile/stage_history.hpp"

#include <algorithm>

namespace sluice::profile {

void StageHistory::add(const Piece& piece) {
    const std::lock_guard lock(mutex_);
    if (pieces_.size() == kMostPieces) {
        pieces_.back().end = piece.end;
    } else {
        pieces_.push_back(piece);
    }
}

// A piece that `time` divides keeps its share of the moved seconds.
StageSeconds StageHistory::take(double time) {
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

void StageHistory::clear() {
    const std::lock_guard lock(mutex_);
    pieces_.clear();
}

}  // namespace sluice::profile
