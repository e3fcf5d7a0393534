#include "observe/bus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "base/log.hpp"

namespace sluice::observe {
namespace {

constexpr std::size_t kQueueLength = 256;

using Clock = std::chrono::steady_clock;

sluice_text text_of(const std::string& text) { return {text.data(), text.size()}; }

// The ABI's view of an event, and what it points to.
class EventView {
public:
    EventView(const Event& event, double seconds) {
        for (const auto& [name, value] : event.scalars) {
            scalars_.push_back({text_of(name), value});
        }
        strides_.reserve(event.tensors.size());
        for (const auto& [name, tensor] : event.tensors) {
            strides_.push_back(dense_strides(tensor.spec));
            tensors_.push_back({text_of(name),
                                {const_cast<std::uint8_t*>(tensor.bytes.data()),
                                 {SLUICE_DEVICE_CPU, 0},
                                 tensor.spec.rank,
                                 tensor.spec.dtype,
                                 tensor.spec.shape,
                                 strides_.back().data(),
                                 0}});
        }
        view_ = {.struct_size = sizeof(sluice_event),
                 .kind = event.kind,
                 .reserved = 0,
                 .epoch = event.epoch,
                 .step = event.step,
                 .seconds = seconds,
                 .text = text_of(event.text),
                 .scalars = scalars_.data(),
                 .scalar_count = scalars_.size(),
                 .tensors = tensors_.data(),
                 .tensor_count = tensors_.size()};
    }
    [[nodiscard]] const sluice_event& get() const { return view_; }

private:
    std::vector<sluice_scalar> scalars_;
    std::vector<std::vector<std::int64_t>> strides_;
    std::vector<sluice_named_tensor> tensors_;
    sluice_event view_{};
};

}  // namespace

struct Bus::State {
    struct Watched {
        registry::Observer observer;
        std::uint64_t failures = 0;
        double busy_seconds = 0.0;
    };

    std::vector<Watched> observers;
    Clock::time_point began = Clock::now();
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::pair<Event, double>> queue;
    std::uint64_t dropped = 0;
    bool delivering = false;
    bool ending = false;
    std::thread thread;

    void run() {
        std::unique_lock lock(mutex);
        for (;;) {
            changed.wait(lock, [&] { return ending || !queue.empty(); });
            if (queue.empty()) {
                return;
            }
            const auto [event, seconds] = std::move(queue.front());
            queue.pop_front();
            delivering = true;
            lock.unlock();
            deliver(event, seconds);
            lock.lock();
            delivering = false;
            changed.notify_all();
        }
    }

    void deliver(const Event& event, double seconds) {
        const EventView view(event, seconds);
        for (Watched& watched : observers) {
            if ((watched.observer.wants() >> event.kind & 1) == 0) {
                continue;
            }
            const auto start = Clock::now();
            try {
                watched.observer.on_event(view.get());
            } catch (const std::exception& error) {
                // What it lacks may come back, such as space on the disk: it is called again, and told of once.
                if (watched.failures++ == 0) {
                    log::error(fmt::format("{}; training goes on", error.what()));
                }
            }
            watched.busy_seconds += std::chrono::duration<double>(Clock::now() - start).count();
        }
    }

    [[nodiscard]] std::string slowest() const {
        const auto most = std::ranges::max_element(observers, {}, &Watched::busy_seconds);
        return most == observers.end() ? "none" : most->observer.name();
    }
};

Bus::Bus(std::vector<registry::Observer> observers) : state_(std::make_unique<State>()) {
    for (registry::Observer& observer : observers) {
        state_->observers.push_back({std::move(observer)});
    }
    state_->thread = std::thread([state = state_.get()] { state->run(); });
}

Bus::~Bus() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->ending = true;
    }
    state_->changed.notify_all();
    state_->thread.join();
    if (state_->dropped > 0) {
        log::warn(fmt::format(
            "{} step event(s) were dropped because observers were slower than the run; the slowest was '{}'",
            state_->dropped, state_->slowest()));
    }
    for (const State::Watched& watched : state_->observers) {
        if (watched.failures > 1) {
            log::warn(fmt::format("observer '{}' failed {} times", watched.observer.name(), watched.failures));
        }
    }
}

bool Bus::wanted(std::uint32_t kind) const {
    return std::ranges::any_of(state_->observers,
                               [&](const auto& watched) { return (watched.observer.wants() >> kind & 1) != 0; });
}

void Bus::emit(Event event) {
    const double seconds = std::chrono::duration<double>(Clock::now() - state_->began).count();
    {
        std::unique_lock lock(state_->mutex);
        if (state_->queue.size() >= kQueueLength) {
            if (event.kind == SLUICE_EVENT_STEP) {
                ++state_->dropped;
                return;
            }
            state_->changed.wait(lock, [&] { return state_->queue.size() < kQueueLength; });
        }
        state_->queue.emplace_back(std::move(event), seconds);
    }
    state_->changed.notify_all();
}

void Bus::flush() {
    std::unique_lock lock(state_->mutex);
    state_->changed.wait(lock, [&] { return state_->queue.empty() && !state_->delivering; });
}

}  // namespace sluice::observe
