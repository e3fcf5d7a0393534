// A yes-or-no vote of all replicas, made by an all-reduce between their devices.
#pragma once

#include <memory>

#include "registry/objects/device.hpp"
#include "run/collective/collectives.hpp"
#include "run/network/captured_graph.hpp"

namespace sluice::run {

class Vote {
public:
    // `collectives` must outlive this object.
    Vote(const std::shared_ptr<const registry::Device>& device, void* stream, Collectives& collectives);

    // Returns true if all replicas vote yes. All must call it at the same point of a step. Waits for the stream; throws
    // as Collectives::finish().
    [[nodiscard]] bool all_vote_yes(bool yes, std::string_view question) const;

private:
    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    Collectives& collectives_;
    registry::Block noes_;  // one double: votes against
};

// Runs work that may be a captured graph: all voting replicas replay theirs, or none. `vote` null: no vote is taken.
template <class Work>
void run_captured(CapturedGraph& captured, const Vote* vote, const Work& work) {
    captured.run(work, [&](bool is_captured) {
        return vote != nullptr ? vote->all_vote_yes(is_captured, "whether steps are captured") : is_captured;
    });
}

}  // namespace sluice::run
