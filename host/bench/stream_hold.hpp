// Keeps a device busy while the host puts work on its stream: events around that work then time the device alone, also
// where it takes a launch less time than the host needs to put it there.
#pragma once

#include <memory>

#include "registry/objects/streams.hpp"

namespace sluice::bench {

class StreamHold {
public:
    // The stream outlives it.
    StreamHold(std::shared_ptr<const registry::Device> device, void* stream);
    // Puts work of about so many seconds on the stream. It changes nothing that others use.
    void put(double seconds) const;

private:
    void* stream_;
    registry::Block block_;
    registry::Graph graph_;  // zeroes the block again and again
    double seconds_;         // of one run of it
};

}  // namespace sluice::bench
