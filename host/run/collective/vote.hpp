// A question to all replicas of the world, which travels between their devices.
#pragma once

#include <memory>

#include "registry/objects/objects.hpp"
#include "run/collective/collectives.hpp"
#include "run/network/recorded.hpp"

namespace sluice::run {

class Vote {
public:
    // The collectives outlive it.
    Vote(const std::shared_ptr<const registry::Device>& device, void* stream, Collectives& collectives);

    // Whether all of them say yes, each at the same place of a step. Waits for the stream; throws as
    // Collectives::finish().
    [[nodiscard]] bool all_say(bool yes, std::string_view question) const;

private:
    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    Collectives& collectives_;
    registry::Block noes_;  // one number
};

// Runs work that is recorded, by all replicas that vote or by none; null: this replica does not ask the others.
template <class Work>
void run_recorded(Recorded& recorded, const Vote* vote, const Work& work) {
    recorded.run(work, [&](bool is_recorded) {
        return vote != nullptr ? vote->all_say(is_recorded, "whether steps are recorded") : is_recorded;
    });
}

}  // namespace sluice::run
