#include "observe/bus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "base/counted.hpp"
#include "base/log.hpp"
#include "registry/loading/load.hpp"

namespace sluice::observe {
namespace {

constexpr std::size_t kQueueLength = 1024;
// The thread gathers steps for this long before it calls observers. Waking it for each step would cost a small network
// more than the step itself.
constexpr std::chrono::milliseconds kGathering{20};

using Clock = std::chrono::steady_clock;

sluice_text text_of(const std::string& text) { return {text.data(), text.size()}; }

// The ABI's view of an event, and the arrays that it points to.
class EventView {
public:
    EventView(const Event& event, double seconds) {
        for (const auto& [name, value] : event.scalars) {
            scalars_.push_back({text_of(name), value});
        }
        strides_.resize(event.tensors.size());
        for (const auto& [name, tensor] : event.tensors) {
            Strides& strides = strides_[tensors_.size()];
            tensors_.push_back({text_of(name), plugin_view(tensor.spec, tensor.bytes.data(), strides)});
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
    EventView(const StepEvent& event, double seconds) {
        view_ = {.struct_size = sizeof(sluice_event),
                 .kind = SLUICE_EVENT_STEP,
                 .reserved = 0,
                 .epoch = event.epoch,
                 .step = event.step,
                 .seconds = seconds,
                 .text = {},
                 .scalars = event.scalars.data(),
                 .scalar_count = event.scalar_count,
                 .tensors = nullptr,
                 .tensor_count = 0};
    }
    [[nodiscard]] const sluice_event& get() const { return view_; }

private:
    std::vector<sluice_scalar> scalars_;
    std::vector<Strides> strides_;
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

    // One slot of the ring; its memory is reused.
    struct Slot {
        bool is_step = false;
        StepEvent step;
        Event event;
        double seconds = 0.0;
    };

    std::vector<Watched> observers;
    Clock::time_point began = Clock::now();
    std::mutex mutex;  // guards the members below, except filled slots: the observer thread owns them
    std::condition_variable work;
    std::condition_variable room;
    std::vector<Slot> ring{kQueueLength};
    std::size_t first = 0;
    std::size_t filled = 0;
    bool urgent = false;  // an event other than a step waits, or a flush
    std::uint64_t dropped = 0;
    bool ending = false;
    bool has_ended = false;
    bool is_abandoned = false;  // an observer did not return in time; nothing waits for it any more
    std::string unfinished;     // why observers failed at the run's end
    ObserverTimeouts timeouts;
    std::atomic<const Watched*> called = nullptr;  // the observer whose callback runs; null: none
    std::atomic<Clock::time_point> since{};        // start of that callback
    Clock::time_point named{};                     // start of the callback that was last warned about
    std::thread thread;

    // Call with the mutex held. Logs an observer that does not return. `waits`: the caller waits for it, so that the
    // timeout applies.
    void look(bool waits) {
        const Watched* const watched = called;
        const Clock::time_point begin = since;
        const auto lasts = Clock::now() - begin;
        if (watched == nullptr || lasts < timeouts.named) {
            return;
        }
        const registry::Component& component = watched->observer.object().component();
        const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
        if (named != begin) {
            named = begin;
            log::warn(fmt::format(
                "observer {} has been handling one event for {:.3g} s; training continues, but at its end it waits "
                "for this event until {:.3g} s have passed",
                component.label, seconds(lasts), seconds(timeouts.left)));
        }
        if (waits && lasts >= timeouts.left) {
            is_abandoned = true;
            unfinished = fmt::format("observer {} did not return from an event", component.label);
            registry::never_close(*component.plugin);
            log::error(
                fmt::format("observer {} did not return from an event within {:.3g} s; the run continues without "
                            "observers",
                            component.label, seconds(timeouts.left)));
        }
    }

    // Returns false if the timeout of an observer passed before `done` was true.
    template <class Done>
    bool wait_until(std::unique_lock<std::mutex>& lock, Done done) {
        while (!is_abandoned && !room.wait_for(lock, timeouts.named / 10, done)) {
            look(true);
        }
        return !is_abandoned;
    }

    // Call with the mutex held and a free slot.
    Slot& take_slot() {
        Slot& slot = ring[(first + filled++) % kQueueLength];
        slot.seconds = std::chrono::duration<double>(Clock::now() - began).count();
        return slot;
    }

    void run() {
        std::unique_lock lock(mutex);
        for (;;) {
            work.wait(lock, [&] { return ending || urgent || filled > 0; });
            work.wait_for(lock, kGathering, [&] { return ending || urgent || filled > kQueueLength / 2; });
            urgent = false;
            for (; filled > 0; first = (first + 1) % kQueueLength, --filled) {
                lock.unlock();
                deliver(ring[first]);
                ring[first].event = {};  // frees pictures, which are large
                lock.lock();
            }
            has_ended = ending;
            room.notify_all();
            if (ending) {
                return;
            }
        }
    }

    void note_unfinished(const std::string& reason) {
        const std::lock_guard lock(mutex);
        unfinished += (unfinished.empty() ? "" : "; ") + reason;
    }

    // Blocks this thread forever if its observer timed out, because the data that observers use may be destroyed.
    void block_if_abandoned() {
        std::unique_lock lock(mutex);
        if (is_abandoned) {
            work.wait(lock, [] { return false; });
        }
    }

    void deliver(const Slot& slot) {
        const EventView view = slot.is_step ? EventView(slot.step, slot.seconds) : EventView(slot.event, slot.seconds);
        for (Watched& watched : observers) {
            if ((watched.observer.wants() >> view.get().kind & 1) == 0) {
                continue;
            }
            const auto start = Clock::now();
            since = start;
            called = &watched;
            try {
                watched.observer.on_event(view.get());
            } catch (const std::exception& error) {
                // The cause may pass, such as a full disk. The observer is called again, but only its first failure is
                // logged.
                if (view.get().kind == SLUICE_EVENT_RUN_END) {
                    note_unfinished(error.what());
                } else if (watched.failures++ == 0) {
                    log::warn(fmt::format("{}; training continues", error.what()));
                }
            }
            block_if_abandoned();
            called = nullptr;
            watched.busy_seconds += std::chrono::duration<double>(Clock::now() - start).count();
        }
    }

    [[nodiscard]] std::string slowest() const {
        const auto most = std::ranges::max_element(observers, {}, &Watched::busy_seconds);
        return most == observers.end() ? "none" : most->observer.name();
    }
};

Bus::Bus(std::vector<registry::Observer> observers, ObserverTimeouts timeouts) : state_(std::make_unique<State>()) {
    state_->timeouts = timeouts;
    for (registry::Observer& observer : observers) {
        state_->observers.push_back({std::move(observer)});
    }
    state_->thread = std::thread([state = state_.get()] { state->run(); });
}

Bus::~Bus() {
    bool has_ended = false;
    {
        std::unique_lock lock(state_->mutex);
        state_->ending = true;
        state_->work.notify_one();
        has_ended = state_->wait_until(lock, [&] { return state_->has_ended; });
    }
    if (!has_ended) {
        state_->thread.detach();
        static_cast<void>(state_.release());  // the detached thread owns it from now on
        return;
    }
    state_->thread.join();
    if (state_->dropped > 0) {
        log::warn(fmt::format("{} dropped because observers were slower than the run; the slowest was '{}'",
                              counted(state_->dropped, "step event") + (state_->dropped == 1 ? " was" : " were"),
                              state_->slowest()));
    }
    for (const State::Watched& watched : state_->observers) {
        if (watched.failures > 1) {
            log::info(fmt::format("observer '{}' failed {} times", watched.observer.name(), watched.failures));
        }
    }
}

bool Bus::wanted(std::uint32_t kind) const {
    return std::ranges::any_of(state_->observers,
                               [&](const auto& watched) { return (watched.observer.wants() >> kind & 1) != 0; });
}

void Bus::emit(const StepEvent& event) {
    bool wakes = false;
    {
        const std::lock_guard lock(state_->mutex);
        state_->look(false);
        if (state_->is_abandoned || state_->filled == kQueueLength) {
            ++state_->dropped;
            return;
        }
        State::Slot& slot = state_->take_slot();
        slot.is_step = true;
        slot.step = event;
        wakes = state_->filled == 1 || state_->filled == kQueueLength / 2 + 1;
    }
    if (wakes) {
        state_->work.notify_one();
    }
}

void Bus::emit(Event event) {
    {
        std::unique_lock lock(state_->mutex);
        if (!state_->wait_until(lock, [&] { return state_->filled < kQueueLength; })) {
            return;
        }
        State::Slot& slot = state_->take_slot();
        slot.is_step = false;
        slot.event = std::move(event);
        state_->urgent = true;
    }
    state_->work.notify_one();
}

std::string Bus::unfinished() const {
    const std::lock_guard lock(state_->mutex);
    return state_->unfinished;
}

bool Bus::flush(std::chrono::seconds most) {
    const Clock::time_point begin = Clock::now();
    std::unique_lock lock(state_->mutex);
    state_->urgent = true;
    state_->work.notify_one();
    return state_->wait_until(lock, [&] { return state_->filled == 0 || Clock::now() - begin >= most; }) &&
           state_->filled == 0;
}

}  // namespace sluice::observe
