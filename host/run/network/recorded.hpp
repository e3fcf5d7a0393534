// Work for a device's stream that is recorded the second time that it is done, and run as recorded from then on: the
// first time prepares what cannot be recorded. Where the device cannot record, it is done anew each time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "registry/objects/streams.hpp"

namespace sluice::run {

class Recorded {
public:
    Recorded() = default;  // never records
    Recorded(std::shared_ptr<const registry::Device> device, void* stream)
        : device_(device->streams() != nullptr ? std::move(device) : nullptr), stream_(stream) {}

    // `work` puts the same on the stream each time, from its beginning where a recording came to nothing. When it has
    // been tried, agree(whether it was recorded) says whether it runs as recorded from now on.
    template <class Work, class Agree>
    void run(const Work& work, const Agree& agree) {
        if (device_ != nullptr && !graph_ && done_before_) {
            record(work, agree);
        }
        device_ != nullptr&& graph_ ? graph_->launch(stream_) : work();
        done_before_ = true;
    }
    // Whether it has a part in when it is recorded that it has been done already.
    [[nodiscard]] bool has_begun() const { return device_ != nullptr && done_before_; }

private:
    template <class Work, class Agree>
    void record(const Work& work, const Agree& agree) {
        std::string reason;
        try {
            registry::Recording recording(device_, stream_);
            work();
            graph_ = recording.end();
        } catch (const Error& error) {
            if (error.exit() == Exit::worker_lost) {
                throw;
            }
            reason = error.what();
        }
        if (!agree(graph_.has_value())) {
            give_up(reason);
        }
    }
    // Says so, and records no more. What was recorded stays: it is memory of the device, which is not given back now.
    void give_up(const std::string& reason);

    std::shared_ptr<const registry::Device> device_;  // null: is not recorded
    void* stream_ = nullptr;
    bool done_before_ = false;
    std::optional<registry::Graph> graph_;
};

}  // namespace sluice::run
