// A strategy and its replicas, for the cases of strategies. Each replica has its own thread and, unless it is on a CPU,
// its own device.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "check/cases/sized_struct.hpp"
#include "check/contract/trial.hpp"
#include "registry/objects/device.hpp"
#include "registry/objects/strategy.hpp"

namespace sluice::check {

constexpr double kTimeout = 20.0;  // seconds; no replica that calls start() takes so long

// The values of each replica.
template <class T>
using Ranges = std::vector<std::vector<T>>;

// A collective as the replicas start it.
struct Collective {
    std::uint32_t kind = SLUICE_COLLECTIVE_SUM;
    std::string_view name = "gradients 1 of 2";  // lent until finish()
    bool is_narrow = false;                      // sent as bfloat16
    bool is_larger = false;                      // the struct of a newer host
};

// Number of replicas that can run here: one for each device of the strategy's kind, at most `most`; on a CPU, `most`.
// Throws CaseSkipped if there are no such devices.
std::uint32_t count_local_replicas(Trial& trial, std::uint32_t most);

class StrategyReplicas {
public:
    // Has `replicas` replicas, or fewer if there are fewer devices. Throws CaseSkipped if there are no devices, or if
    // some replicas would be in other processes.
    StrategyReplicas(Trial& trial, std::int64_t replicas);

    [[nodiscard]] const registry::Strategy& strategy() const { return *strategy_; }
    [[nodiscard]] std::uint32_t size() const { return strategy_->topology().local_replicas; }
    [[nodiscard]] bool is_on_cpu() const { return replica_devices_.empty(); }

    // Calls start() for one replica; call it on the replica's thread. For a CPU only.
    template <class T>
    [[nodiscard]] Answer start(std::uint32_t replica, std::vector<T>& range, const Collective& collective) const {
        return start(replica, range.data(), sizeof(T), range.size(), collective);
    }
    [[nodiscard]] Answer finish(std::uint32_t replica, double seconds = kTimeout) const;

    // Calls start() and finish(), with the range copied to the replica's device and back.
    template <class T>
    [[nodiscard]] Answer run_collective(std::uint32_t replica, std::vector<T>& range,
                                        const Collective& collective) const {
        return run_collective(replica, range.data(), sizeof(T), range.size(), collective);
    }
    // Runs a collective on all replicas and returns the ranges after it. Throws Broken if it fails.
    template <class T>
    [[nodiscard]] Ranges<T> exchange(Ranges<T> ranges, const Collective& collective) const {
        for (const Answer& answer :
             on_threads(size(), [&](auto i) { return run_collective(i, ranges[i], collective); })) {
            expect(answer.status == SLUICE_OK, "a collective fails: " + answer.message);
        }
        return ranges;
    }

    // Calls body(i) for each replica i below `count`, on a thread of its own. Returns the answers in that order. Throws
    // as run_on_threads() does.
    static std::vector<Answer> on_threads(std::uint32_t count, const std::function<Answer(std::uint32_t)>& body);

private:
    // The device of a replica, with a stream.
    struct ReplicaDevice {
        std::shared_ptr<const registry::Device> device;
        std::unique_ptr<registry::Stream> stream;
    };

    Answer start(std::uint32_t replica, void* data, std::size_t element, std::size_t count,
                 const Collective& collective) const;
    Answer run_collective(std::uint32_t replica, void* data, std::size_t element, std::size_t count,
                          const Collective& collective) const;

    std::vector<ReplicaDevice> replica_devices_;  // none on a CPU
    std::optional<registry::Strategy> strategy_;
};

}  // namespace sluice::check
