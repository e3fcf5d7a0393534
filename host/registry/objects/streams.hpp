// Events and recorded work of a device whose work runs later. On one without them an event has always passed, and work
// is not recorded.
#pragma once

#include <memory>
#include <optional>

#include "registry/objects/objects.hpp"

namespace sluice::registry {

class Event {
public:
    explicit Event(std::shared_ptr<const Device> device);
    ~Event();
    Event(Event&& other) noexcept;
    Event& operator=(Event&& other) noexcept;

    void record(void* stream) const;
    // What is put on the stream later starts after the event has passed.
    void hold(void* stream) const;
    // Returns when it has passed.
    void wait() const;
    // Seconds from this event to `later`; both have passed.
    [[nodiscard]] double seconds_to(const Event& later) const;

private:
    std::shared_ptr<const Device> device_;
    void* handle_ = nullptr;
};

// Work that was recorded.
class Graph {
public:
    ~Graph();
    Graph(Graph&& other) noexcept;
    Graph& operator=(Graph&& other) noexcept;
    void launch(void* stream) const;

private:
    friend class Recording;
    Graph(std::shared_ptr<const Device> device, void* handle) : device_(std::move(device)), handle_(handle) {}

    std::shared_ptr<const Device> device_;
    void* handle_ = nullptr;
};

// From its making on, what the calling thread puts on the stream is recorded, until end() or the end of its life.
class Recording {
public:
    Recording(std::shared_ptr<const Device> device, void* stream);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    // Throws Error(Exit::device) where something cannot be recorded; the stream can then be used as before.
    [[nodiscard]] Graph end();

private:
    std::shared_ptr<const Device> device_;
    void* stream_;
    bool ended_ = false;
};

}  // namespace sluice::registry
