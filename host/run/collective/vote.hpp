// A question to all replicas of the world, which travels between their devices.
#pragma once

#include <memory>

#include "registry/objects/objects.hpp"
#include "run/collective/collectives.hpp"

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

}  // namespace sluice::run
