#include "profile/pieces.hpp"

#include <algorithm>
#include <numeric>

namespace sluice::profile {
namespace {

// Takes spans by begin, outer ones first.
class Cutter {
public:
    explicit Cutter(const Window& window) : window_(window) {}

    void open(std::size_t index) {
        const double begin = window_.spans[index].begin;
        while (!open_.empty() && window_.spans[open_.back()].end() <= begin) {
            close_innermost();
        }
        cut(begin);
        time_ = open_.empty() ? begin : std::max(time_, begin);
        open_.push_back(index);
    }
    [[nodiscard]] std::vector<Piece> finish() {
        while (!open_.empty()) {
            close_innermost();
        }
        return std::move(pieces_);
    }

private:
    void cut(double end) {
        if (!open_.empty() && end > time_) {
            pieces_.push_back({time_, end, open_.back()});
            time_ = end;
        }
    }
    void close_innermost() {
        cut(window_.spans[open_.back()].end());
        open_.pop_back();
    }

    const Window& window_;
    std::vector<std::size_t> open_;
    std::vector<Piece> pieces_;
    double time_ = 0.0;
};

}  // namespace

std::vector<Piece> pieces_of(const Window& window, const std::function<bool(const WindowSpan&)>& selects) {
    std::vector<std::size_t> selected;
    for (std::size_t i = 0; i < window.spans.size(); ++i) {
        if (selects(window.spans[i])) {
            selected.push_back(i);
        }
    }
    std::ranges::stable_sort(selected, [&](std::size_t a, std::size_t b) {
        const WindowSpan& first = window.spans[a];
        const WindowSpan& second = window.spans[b];
        return first.begin != second.begin ? first.begin < second.begin : first.seconds > second.seconds;
    });
    Cutter cutter(window);
    for (const std::size_t index : selected) {
        cutter.open(index);
    }
    return cutter.finish();
}

const Piece* last_before(const std::vector<Piece>& pieces, double time) {
    const auto after = std::ranges::lower_bound(pieces, time - kTick, {}, &Piece::begin);
    return after == pieces.begin() ? nullptr : &*std::prev(after);
}

void visit_parts(const std::vector<Piece>& pieces, double begin, double end,
                 const std::function<void(const Piece*, double, double)>& visit) {
    double time = begin;
    auto piece = std::ranges::lower_bound(pieces, begin, {}, &Piece::end);
    for (; piece != pieces.end() && piece->begin < end && time < end; ++piece) {
        if (piece->begin > time + kTick) {
            visit(nullptr, time, piece->begin);
            time = piece->begin;
        }
        if (const double until = std::min(piece->end, end); until > time) {
            visit(&*piece, time, until);
            time = until;
        }
    }
    if (end > time + kTick) {
        visit(nullptr, time, end);
    }
}

}  // namespace sluice::profile
