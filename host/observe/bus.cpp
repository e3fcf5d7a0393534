#include "observe/bus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "base/counted.hpp"
#include "base/log.hpp"
#include "observe/event_ring.hpp"
#include "profile/recorder.hpp"
#include "profile/window_view.hpp"

namespace sluice::observe {
namespace {

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
                 .tensor_count = tensors_.size(),
                 .profile = nullptr};
        if (event.profile != nullptr) {
            view_.profile = &window_.emplace(*event.profile).get();
        }
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
                 .tensor_count = 0,
                 .profile = nullptr};
    }
    [[nodiscard]] const sluice_event& get() const { return view_; }

private:
    std::vector<sluice_scalar> scalars_;
    std::vector<Strides> strides_;
    std::vector<sluice_named_tensor> tensors_;
    std::optional<profile::WindowView> window_;
    sluice_event view_{};
};

}  // namespace

struct Bus::State {
    struct Watched {
        registry::Observer observer;
        std::uint64_t failures = 0;
        double busy_seconds = 0.0;
    };

    State(std::vector<registry::Observer> all, ObserverTimeouts timeouts) : watch(timeouts) {
        for (registry::Observer& observer : all) {
            observers.push_back({std::move(observer)});
        }
    }

    // The body of the thread.
    void run() {
        profile::name_thread(SLUICE_THREAD_OBSERVER, "observers");
        const std::function<void(const EventRing::Slot&)> deliver_slot = [this](const auto& slot) { deliver(slot); };
        while (ring.deliver(deliver_slot)) {
        }
    }

    void deliver(const EventRing::Slot& slot) {
        const EventView view = slot.is_step ? EventView(slot.step, slot.seconds) : EventView(slot.event, slot.seconds);
        for (Watched& watched : observers) {
            if ((watched.observer.wants() >> view.get().kind & 1) == 0) {
                continue;
            }
            const auto start = Clock::now();
            const profile::Recording call(SLUICE_SPAN_OBSERVER, watched.observer.name());
            watch.enter(watched.observer.object().component());
            try {
                watched.observer.on_event(view.get());
            } catch (const std::exception& error) {
                // The cause may pass, such as a full disk. The observer is called again, but only its first failure is
                // logged.
                if (view.get().kind == SLUICE_EVENT_RUN_END) {
                    watch.add_unfinished(error.what());
                } else if (watched.failures++ == 0) {
                    log::warn(fmt::format("{}; training continues", error.what()));
                }
            }
            watch.leave();
            watched.busy_seconds += std::chrono::duration<double>(Clock::now() - start).count();
        }
    }

    [[nodiscard]] std::string slowest() const {
        const auto most = std::ranges::max_element(observers, {}, &Watched::busy_seconds);
        return most == observers.end() ? "none" : most->observer.name();
    }

    std::vector<Watched> observers;
    EventRing ring;
    ObserverWatch watch;
    std::thread thread;
};

Bus::Bus(std::vector<registry::Observer> observers, ObserverTimeouts timeouts)
    : state_(std::make_unique<State>(std::move(observers), timeouts)) {
    state_->thread = std::thread([state = state_.get()] { state->run(); });
}

Bus::~Bus() {
    state_->ring.close();
    if (!state_->watch.wait_for([&](Clock::duration most) { return state_->ring.wait_until_finished(most); })) {
        state_->thread.detach();
        static_cast<void>(state_.release());  // the detached thread owns it from now on
        return;
    }
    state_->thread.join();
    if (const std::uint64_t dropped = state_->ring.dropped(); dropped > 0) {
        log::warn(fmt::format("{} dropped because observers were slower than the run; the slowest was '{}'",
                              counted(dropped, "step event") + (dropped == 1 ? " was" : " were"), state_->slowest()));
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
    if (state_->watch.check()) {
        state_->ring.add(event);
    }
}

void Bus::emit(Event event) {
    state_->watch.wait_for([&](Clock::duration most) { return state_->ring.add(event, most); });
}

std::string Bus::unfinished() const { return state_->watch.unfinished(); }

bool Bus::flush(std::chrono::seconds most) {
    const Clock::time_point end = Clock::now() + most;
    bool is_empty = false;
    state_->ring.hurry();
    const bool is_over = state_->watch.wait_for([&](Clock::duration between) {
        is_empty = state_->ring.wait_until_empty(std::min(between, end - Clock::now()));
        return is_empty || Clock::now() >= end;
    });
    return is_over && is_empty;
}

}  // namespace sluice::observe
