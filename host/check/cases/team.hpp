// A strategy and its replicas, for the cases of strategies: each on a thread, and on a device of its own where it is of
// such devices.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "check/cases/sized.hpp"
#include "check/contract/trial.hpp"

namespace sluice::check {

constexpr double kPatience = 20.0;  // seconds that nobody who comes needs

// Of each replica its values.
template <class T>
using Ranges = std::vector<std::vector<T>>;

// What they come with.
struct Collective {
    std::uint32_t kind = SLUICE_COLLECTIVE_SUM;
    std::string_view name = "gradients 1 of 2";  // lent until finish()
    bool is_narrow = false;                      // travels as bfloat16
    bool is_larger = false;                      // as a newer host's struct
};

// Replicas, at most `most`, for which there are places: devices of the kind that the strategy is for. Throws NotShown
// where there are none.
std::uint32_t count_places(Trial& trial, std::uint32_t most);

class Team {
public:
    // With so many replicas where it can have as many, else with fewer. Throws NotShown where some would be in other
    // processes, or there are no devices.
    Team(Trial& trial, std::int64_t replicas);

    [[nodiscard]] const registry::Strategy& strategy() const { return *strategy_; }
    [[nodiscard]] std::uint32_t size() const { return strategy_->topology().local_replicas; }
    [[nodiscard]] bool is_on_cpu() const { return seats_.empty(); }

    // By replica `replica`, on its thread; on a CPU.
    template <class T>
    [[nodiscard]] Answer start(std::uint32_t replica, std::vector<T>& range, const Collective& collective) const {
        return start(replica, range.data(), sizeof(T), range.size(), collective);
    }
    [[nodiscard]] Answer finish(std::uint32_t replica, double seconds = kPatience) const;

    // Both, with the range in the memory of the replica's device.
    template <class T>
    [[nodiscard]] Answer bring(std::uint32_t replica, std::vector<T>& range, const Collective& collective) const {
        return bring(replica, range.data(), sizeof(T), range.size(), collective);
    }
    // Ranges after all have brought theirs. Throws Broken where that fails.
    template <class T>
    [[nodiscard]] Ranges<T> exchange(Ranges<T> ranges, const Collective& collective) const {
        for (const Answer& answer : on_threads(size(), [&](auto i) { return bring(i, ranges[i], collective); })) {
            expect(answer.status == SLUICE_OK, "a collective fails: " + answer.message);
        }
        return ranges;
    }

    // body(i) of each replica below `count` on a thread of its own. The answers, in their order.
    static std::vector<Answer> on_threads(std::uint32_t count, const std::function<Answer(std::uint32_t)>& body);

private:
    // Where a replica is.
    struct Seat {
        std::shared_ptr<const registry::Device> device;
        std::unique_ptr<registry::Stream> stream;
    };

    Answer start(std::uint32_t replica, void* data, std::size_t element, std::size_t count,
                 const Collective& collective) const;
    Answer bring(std::uint32_t replica, void* data, std::size_t element, std::size_t count,
                 const Collective& collective) const;

    std::vector<Seat> seats_;  // none on a CPU
    std::optional<registry::Strategy> strategy_;
};

}  // namespace sluice::check
