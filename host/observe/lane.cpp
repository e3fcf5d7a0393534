#include "observe/lane.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <exception>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/text/counted.hpp"
#include "observe/cpu_time.hpp"
#include "observe/event_ring.hpp"
#include "observe/observer_cost.hpp"
#include "observe/run_queue.hpp"
#include "observe/run_waits.hpp"
#include "profile/recorder.hpp"
#include "profile/window_view.hpp"

namespace sluice::observe {
namespace {

// Slow observers are reported once during the run, when it has lasted so long.
constexpr std::int64_t kStepsUntilReport = 20;
constexpr double kSecondsUntilReport = 10.0;

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
                 .text = {event.text.data(), event.text.size()},
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

bool may_be_dropped(std::uint32_t kind) { return kind == SLUICE_EVENT_USAGE || kind == SLUICE_EVENT_PROFILE; }

// Returns "3 step events and 1 usage event"; empty if nothing was dropped.
std::string dropped_text(const EventRing& ring) {
    static constexpr std::array<std::pair<std::uint32_t, const char*>, 3> kDroppable{
        {{SLUICE_EVENT_STEP, "step event"}, {SLUICE_EVENT_USAGE, "usage event"}, {SLUICE_EVENT_PROFILE, "profile"}}};
    std::vector<std::string> parts;
    for (const auto& [kind, name] : kDroppable) {
        if (const std::uint64_t count = ring.dropped(kind); count > 0) {
            parts.push_back(counted(count, name));
        }
    }
    return fmt::format("{}", fmt::join(parts, " and "));
}

bool is_one(const EventRing& ring) {
    return ring.dropped(SLUICE_EVENT_STEP) + ring.dropped(SLUICE_EVENT_USAGE) + ring.dropped(SLUICE_EVENT_PROFILE) == 1;
}

}  // namespace

struct Lane::State {
    struct Watched {
        registry::Observer observer;
        std::uint64_t failures = 0;
        ObserverCost cost{};
    };

    State(std::vector<registry::Observer> all, bool is_held, ObserverTimeouts timeouts,
          std::shared_ptr<const RunPace> run_pace)
        : holds(is_held), pace(std::move(run_pace)), watch(timeouts, is_held) {
        for (registry::Observer& observer : all) {
            std::string name = observer.name();
            observers.push_back({std::move(observer), 0, {.name = std::move(name), .holds = is_held}});
        }
    }

    // The body of the thread.
    void run() {
        profile::name_thread(SLUICE_THREAD_OBSERVER, "observers");
        const std::function<void(const EventRing::Slot&)> deliver_slot = [this](const auto& slot) {
            deliver(slot);
            if (!is_reported && pace->steps() >= kStepsUntilReport && pace->seconds() >= kSecondsUntilReport) {
                is_reported = true;
                report_costs();
            }
        };
        while (ring.deliver(deliver_slot)) {
        }
        report_costs();
    }

    void deliver(const EventRing::Slot& slot) {
        const EventView view = slot.is_step ? EventView(slot.step, slot.seconds) : EventView(slot.event, slot.seconds);
        for (Watched& watched : observers) {
            if ((watched.observer.wants() >> view.get().kind & 1) != 0) {
                call(watched, view.get());
            }
        }
    }

    void call(Watched& watched, const sluice_event& event) {
        const auto start = Clock::now();
        const RunWaits::Figures waited = waits.figures();
        const profile::Recording span(SLUICE_SPAN_OBSERVER, watched.cost.name);
        watch.enter(watched.observer.object().component());
        try {
            watched.observer.on_event(event);
        } catch (const std::exception& error) {
            // The cause may pass, such as a full disk. The observer is called again, but only its first failure is
            // logged.
            if (event.kind == SLUICE_EVENT_RUN_END) {
                watch.add_unfinished(error.what());
            } else if (watched.failures++ == 0) {
                log::warn(fmt::format("{}; training continues", error.what()));
            }
        }
        watch.leave();
        watched.cost.waits.add_difference(waits.figures(), waited);
        const double cpu_before = std::exchange(cpu_seconds, thread_cpu_seconds());
        if (pace->is_warm_up(event.step)) {
            return;
        }
        watched.cost.busy_seconds += std::chrono::duration<double>(Clock::now() - start).count();
        watched.cost.cpu_seconds += cpu_seconds - cpu_before;  // also of fetching the event
        watched.cost.steps += event.kind == SLUICE_EVENT_STEP ? 1 : 0;
    }

    // Only the thread calls it: what it allocates depends on how fast observers are, so the run must not.
    void report_costs() const {
        const std::optional<double> queue_seconds = thread_queue_seconds();
        const RunPace::Figures run = pace->figures();
        for (const Watched& watched : observers) {
            ObserverCost cost = watched.cost;
            cost.queue_seconds = queue_seconds;
            if ((watched.observer.wants() >> SLUICE_EVENT_STEP & 1) == 0) {
                cost.steps = run.steps - RunPace::kWarmUpSteps;
            }
            if (const std::optional<CostReport> report = report_cost(cost, run, usable_cores())) {
                log::write(report->costs_time ? log::Level::warning : log::Level::info, report->text);
            }
        }
    }

    [[nodiscard]] std::string name_of_slowest() const {
        const auto most =
            std::ranges::max_element(observers, {}, [](const Watched& watched) { return watched.cost.busy_seconds; });
        return most == observers.end() ? "none" : most->cost.name;
    }

    // Waits for room if the queue is full.
    void add(Event& event) {
        const auto wait = [&] { return watch.wait_for([&](Clock::duration most) { return ring.add(event, most); }); };
        static_cast<void>(pace->is_running() ? waits.count_room(wait) : wait());
    }

    bool flush(Clock::time_point end) {
        bool is_empty = false;
        ring.hurry();
        const bool is_over = watch.wait_for([&](Clock::duration between) {
            is_empty = ring.wait_until_empty(std::min(between, end - Clock::now()));
            return is_empty || Clock::now() >= end;
        });
        return is_over && is_empty;
    }

    void wait_if_held() {
        if (holds) {
            flush(Clock::now() + std::chrono::hours(24));
        }
    }

    const bool holds;
    const std::shared_ptr<const RunPace> pace;
    std::vector<Watched> observers;
    EventRing ring;
    ObserverWatch watch;
    RunWaits waits;            // counts those of the run, until its end
    double cpu_seconds = 0.0;  // that the thread had used at the end of the last callback
    bool is_reported = false;  // slow observers were reported during the run
    std::thread thread;
};

Lane::Lane(std::vector<registry::Observer> observers, bool holds, ObserverTimeouts timeouts,
           std::shared_ptr<const RunPace> pace)
    : state_(std::make_unique<State>(std::move(observers), holds, timeouts, std::move(pace))) {
    state_->thread = std::thread([state = state_.get()] { state->run(); });
}

Lane::Lane(Lane&& other) noexcept = default;

Lane::~Lane() {
    if (state_ == nullptr) {
        return;
    }
    state_->ring.close();
    if (!state_->watch.wait_for([&](Clock::duration most) { return state_->ring.wait_until_finished(most); })) {
        state_->thread.detach();
        static_cast<void>(state_.release());  // the detached thread owns it from now on
        return;
    }
    state_->thread.join();
    if (const std::string dropped = dropped_text(state_->ring); !dropped.empty()) {
        log::warn(fmt::format("{} {} dropped because observers were slower than the run; the slowest was '{}'", dropped,
                              is_one(state_->ring) ? "was" : "were", state_->name_of_slowest()));
    }
    for (const State::Watched& watched : state_->observers) {
        if (watched.failures > 1) {
            log::info(fmt::format("observer '{}' failed {} times", watched.observer.name(), watched.failures));
        }
    }
}

bool Lane::wanted(std::uint32_t kind) const {
    return std::ranges::any_of(state_->observers,
                               [&](const auto& watched) { return (watched.observer.wants() >> kind & 1) != 0; });
}

void Lane::emit(const StepEvent& event) {
    if (state_->holds) {
        state_->watch.wait_for([&](Clock::duration most) { return state_->ring.add(event, most); });
        state_->wait_if_held();
    } else if (state_->watch.check()) {
        state_->ring.add(event);
    }
}

// Usage comes from a thread that samples, which the run does not wait for either.
void Lane::emit(Event event) {
    if (event.kind == SLUICE_EVENT_USAGE || (may_be_dropped(event.kind) && !state_->holds)) {
        if (state_->watch.check()) {
            state_->ring.add_or_drop(std::move(event));
        }
        return;
    }
    state_->add(event);
    state_->wait_if_held();
}

bool Lane::flush(Clock::time_point end) {
    const auto wait = [&] { return state_->flush(end); };
    return state_->pace->is_running() ? state_->waits.count_flush(wait) : wait();
}

std::string Lane::unfinished() const { return state_->watch.unfinished(); }

}  // namespace sluice::observe
