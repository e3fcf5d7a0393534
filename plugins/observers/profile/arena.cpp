// The tensors in the arena over time.
#include "profile/arena.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "profile/labels.hpp"

namespace sluice::observers {
namespace {

struct RunTime {
    std::int64_t begin;
    std::int64_t end;
};

using StepAndOperation = std::pair<std::int64_t, std::uint32_t>;

// If a device does the work, the memory is in use while the device works, not while the host enqueues.
std::map<StepAndOperation, RunTime> run_times(const Window& window) {
    std::map<StepAndOperation, RunTime> times;
    const bool has_streams = !window.devices().empty();
    for (const sluice_span& span : window.spans()) {
        if (span.step == 0 || window.operation_of(span) == nullptr || window.is_on_stream(span) != has_streams) {
            continue;
        }
        const RunTime ran{span.begin_ns, end_of(span)};
        const auto [place, is_new] = times.emplace(StepAndOperation{span.step, span.operation}, ran);
        if (!is_new) {
            place->second.begin = std::min(place->second.begin, ran.begin);
            place->second.end = std::max(place->second.end, ran.end);
        }
    }
    return times;
}

// Blocks of the arena that are in use, by offset. Tensors may share memory, so blocks may overlap.
class Blocks {
public:
    explicit Blocks(std::uint64_t capacity) : capacity_(capacity) {}

    void change(const sluice_profile_tensor& tensor, bool begins) {
        const std::pair block(tensor.offset, tensor.offset + tensor.bytes);
        if (begins) {
            ++used_[block];
        } else if (const auto found = used_.find(block); found != used_.end() && --found->second == 0) {
            used_.erase(found);
        }
    }
    [[nodiscard]] double fragmentation() const {
        std::uint64_t free = 0;
        std::uint64_t largest = 0;
        std::uint64_t end = 0;
        const auto count = [&](std::uint64_t next) {
            const std::uint64_t gap = next > end ? next - end : 0;
            free += gap;
            largest = std::max(largest, gap);
        };
        for (const auto& [block, uses] : used_) {
            count(block.first);
            end = std::max(end, block.second);
        }
        count(capacity_);
        return free == 0 ? 0.0 : 1.0 - static_cast<double>(largest) / static_cast<double>(free);
    }

private:
    std::uint64_t capacity_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, int> used_;  // number of tensors by begin and end
};

}  // namespace

std::vector<ArenaChange> arena_changes(const Window& window) {
    const auto times = run_times(window);
    std::vector<ArenaChange> changes;
    for (std::int64_t step = window.head().first_step; step <= window.head().last_step; ++step) {
        for (std::uint32_t i = 0; i < window.tensors().size(); ++i) {
            const auto first = times.find({step, window.tensors()[i].first_operation});
            const auto last = times.find({step, window.tensors()[i].last_operation});
            if (first != times.end() && last != times.end() && first->second.begin <= last->second.end) {
                changes.push_back({first->second.begin, step, i, true, 0, 0.0});
                changes.push_back({last->second.end, step, i, false, 0, 0.0});
            }
        }
    }
    // A tensor that ends leaves its memory to one that begins at the same time.
    std::stable_sort(changes.begin(), changes.end(), [](const ArenaChange& a, const ArenaChange& b) {
        return std::tuple(a.time_ns, a.begins) < std::tuple(b.time_ns, b.begins);
    });
    std::uint64_t live = 0;
    Blocks blocks(arena_bytes(window));
    for (ArenaChange& change : changes) {
        const sluice_profile_tensor& tensor = window.tensors()[change.tensor];
        live = change.begins ? live + tensor.bytes : live - tensor.bytes;
        blocks.change(tensor, change.begins);
        change.live_bytes = live;
        change.fragmentation = blocks.fragmentation();
    }
    return changes;
}

std::uint64_t arena_bytes(const Window& window) {
    std::uint64_t end = 0;
    for (const sluice_profile_tensor& tensor : window.tensors()) {
        end = std::max(end, tensor.offset + tensor.bytes);
    }
    return end;
}

}  // namespace sluice::observers
