// Work for a device's stream that is recorded the second time that it is done, and run as recorded from then on: the
// first time prepares what cannot be recorded. Where the device cannot record, it is done anew each time.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "registry/streams.hpp"

namespace sluice::run {

class Recorded {
public:
    Recorded() = default;  // never records
    Recorded(std::shared_ptr<const registry::Device> device, void* stream)
        : device_(device->streams() != nullptr ? std::move(device) : nullptr), stream_(stream) {}

    // `work` puts the same on the stream each time.
    template <class Work>
    void run(const Work& work) {
        if (graph_) {
            graph_->launch(stream_);
        } else if (device_ != nullptr && done_before_) {
            record(work);
        } else {
            work();
            done_before_ = true;
        }
    }

private:
    template <class Work>
    void record(const Work& work) {
        try {
            registry::Recording recording(device_, stream_);
            work();
            graph_ = recording.end();
        } catch (const Error& error) {
            give_up(error);
        }
        graph_ ? graph_->launch(stream_) : work();
    }
    // Says so, and records no more.
    void give_up(const Error& error);

    std::shared_ptr<const registry::Device> device_;  // null: is not recorded
    void* stream_ = nullptr;
    bool done_before_ = false;
    std::optional<registry::Graph> graph_;
};

}  // namespace sluice::run
