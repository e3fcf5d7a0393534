// Work on a stream that becomes a captured graph. The first run executes the work and prepares what cannot be captured,
// the second run captures it, and later runs replay the graph. A device without graphs executes the work each time.
// So do all devices while profile::runs_eagerly(): nothing is captured or replayed then, and graphs are kept for later.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "profile/recorder.hpp"
#include "registry/optional/streams.hpp"

namespace sluice::run {

class CapturedGraph {
public:
    CapturedGraph() = default;  // never captures
    CapturedGraph(std::shared_ptr<const registry::Device> device, void* stream)
        : device_(device->streams() != nullptr ? std::move(device) : nullptr), stream_(stream) {}

    // `work` must enqueue the same work each time; it runs again from its start after a failed capture. After the
    // capture, agree(whether it succeeded) decides whether this and later runs replay the graph.
    template <class Work, class Agree>
    void run(const Work& work, const Agree& agree) {
        const bool is_eager = profile::runs_eagerly();
        if (device_ != nullptr && !graph_ && done_before_ && !is_eager) {
            capture_graph(work, agree);
        }
        device_ != nullptr&& graph_ && !is_eager ? graph_->launch(stream_) : work();
        done_before_ = true;
    }
    // True if the work has run and may be captured: the next run captures it, unless it already has a graph.
    [[nodiscard]] bool has_begun() const { return device_ != nullptr && done_before_; }

private:
    template <class Work, class Agree>
    void capture_graph(const Work& work, const Agree& agree) {
        std::string reason;
        try {
            registry::GraphCapture capture(device_, stream_);
            work();
            graph_ = capture.end();
        } catch (const Error& error) {
            if (error.exit() == Exit::replica_lost) {
                throw;
            }
            reason = error.what();
        }
        if (!agree(graph_.has_value())) {
            give_up(reason);
        }
    }
    // Logs a warning and stops capturing. An existing graph is kept, since its device memory must not be freed now.
    void give_up(const std::string& reason);

    std::shared_ptr<const registry::Device> device_;  // null: never captures
    void* stream_ = nullptr;
    bool done_before_ = false;
    std::optional<registry::Graph> graph_;
};

}  // namespace sluice::run
