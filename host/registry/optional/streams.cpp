#include "registry/optional/streams.hpp"

#include <utility>

#include "registry/objects/device_call.hpp"

namespace sluice::registry {
namespace {

template <class Function, class... Args>
void call_streams(const Device& device, const char* action, Function function, Args... args) {
    call_device(device.object().component(), action, function, device.object().self(), args...);
}

}  // namespace

Event::Event(std::shared_ptr<const Device> device) : device_(std::move(device)) {
    if (device_->streams() != nullptr) {
        call_streams(*device_, "cannot create an event", device_->streams()->event_create, &handle_);
    }
}

Event::~Event() {
    if (handle_ != nullptr) {
        enter(device_->object().component(), device_->streams()->event_destroy, device_->object().self(), handle_);
    }
}

Event::Event(Event&& other) noexcept
    : device_(std::move(other.device_)), handle_(std::exchange(other.handle_, nullptr)) {}

Event& Event::operator=(Event&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
}

void Event::record(void* stream) const {
    if (handle_ != nullptr) {
        call_streams(*device_, "recording an event failed", device_->streams()->event_record, handle_, stream);
    }
}

void Event::hold(void* stream) const {
    if (handle_ != nullptr) {
        call_streams(*device_, "waiting for an event failed", device_->streams()->stream_wait_event, stream, handle_);
    }
}

void Event::wait() const {
    if (handle_ != nullptr) {
        call_streams(*device_, "work before an event failed", device_->streams()->event_wait, handle_);
    }
}

double Event::seconds_to(const Event& later) const {
    double seconds = 0.0;
    if (handle_ != nullptr) {
        call_streams(*device_, "cannot measure the time between events", device_->streams()->event_seconds, handle_,
                     later.handle_, &seconds);
    }
    return seconds;
}

Graph::~Graph() {
    if (handle_ != nullptr) {
        enter(device_->object().component(), device_->streams()->graph_destroy, device_->object().self(), handle_);
    }
}

Graph::Graph(Graph&& other) noexcept
    : device_(std::move(other.device_)), handle_(std::exchange(other.handle_, nullptr)) {}

Graph& Graph::operator=(Graph&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
}

void Graph::launch(void* stream) const {
    call_streams(*device_, "launching a captured graph failed", device_->streams()->graph_launch, handle_, stream);
}

GraphCapture::GraphCapture(std::shared_ptr<const Device> device, void* stream)
    : device_(std::move(device)), stream_(stream) {
    call_streams(*device_, "cannot capture work in a graph", device_->streams()->capture_begin, stream_);
}

GraphCapture::~GraphCapture() {
    if (!ended_) {  // an exception was thrown: discard the captured work
        const Object<sluice_device>& object = device_->object();
        const sluice_streams& streams = *device_->streams();
        void* graph = nullptr;
        sluice_error error{};
        if (enter(object.component(), streams.capture_end, object.self(), stream_, &graph, &error) == SLUICE_OK) {
            enter(object.component(), streams.graph_destroy, object.self(), graph);
        }
    }
}

Graph GraphCapture::end() {
    ended_ = true;
    void* graph = nullptr;
    call_streams(*device_, "cannot capture work in a graph", device_->streams()->capture_end, stream_, &graph);
    return {device_, graph};
}

}  // namespace sluice::registry
