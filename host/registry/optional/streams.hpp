// Events and captured graphs of a device that runs work asynchronously. On a device without streams an event has
// always passed, and work cannot be captured.
#pragma once

#include <memory>
#include <optional>

#include "registry/objects/device.hpp"

namespace sluice::registry {

class Event {
public:
    explicit Event(std::shared_ptr<const Device> device);
    ~Event();
    Event(Event&& other) noexcept;
    Event& operator=(Event&& other) noexcept;

    void record(void* stream) const;
    // Work queued on the stream after this call starts after the event has passed.
    void hold(void* stream) const;
    // Blocks until the event has passed.
    void wait() const;
    // Seconds from this event to `later`; both must have passed.
    [[nodiscard]] double seconds_to(const Event& later) const;

private:
    std::shared_ptr<const Device> device_;
    void* handle_ = nullptr;
};

// A captured graph.
class Graph {
public:
    ~Graph();
    Graph(Graph&& other) noexcept;
    Graph& operator=(Graph&& other) noexcept;
    void launch(void* stream) const;

private:
    friend class GraphCapture;
    Graph(std::shared_ptr<const Device> device, void* handle) : device_(std::move(device)), handle_(handle) {}

    std::shared_ptr<const Device> device_;
    void* handle_ = nullptr;
};

// Captures the work that the calling thread queues on the stream, from construction until end() or destruction.
class GraphCapture {
public:
    GraphCapture(std::shared_ptr<const Device> device, void* stream);
    ~GraphCapture();
    GraphCapture(const GraphCapture&) = delete;
    GraphCapture& operator=(const GraphCapture&) = delete;
    // Returns the graph. Throws Error(Exit::device) if some work cannot be captured; the stream remains usable.
    [[nodiscard]] Graph end();

private:
    std::shared_ptr<const Device> device_;
    void* stream_;
    bool ended_ = false;
};

}  // namespace sluice::registry
