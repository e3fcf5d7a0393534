// Keeps a device busy while the host enqueues work on its stream. Events around that work then time the device alone,
// even if the host takes longer to enqueue a launch than the device to run it.
#pragma once

#include <memory>

#include "registry/optional/streams.hpp"

namespace sluice::bench {

class BusyWork {
public:
    // The stream must outlive this object.
    BusyWork(std::shared_ptr<const registry::Device> device, void* stream);
    // Enqueues work of about `seconds`. It touches only memory of this object.
    void put(double seconds) const;

private:
    void* stream_;
    registry::Block block_;
    registry::Graph graph_;  // zeroes the block again and again
    double seconds_;         // per launch of the graph
};

}  // namespace sluice::bench
