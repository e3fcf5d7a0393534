// Observers that fail, or never return from an event, must not block the run for ever. They are tables in this file,
// without a library.
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "observe/bus.hpp"

namespace sluice::observe {
namespace {

using namespace std::chrono_literals;

// Keeps on_event() from returning until the end of a test.
struct Gate {
    std::mutex mutex;
    std::condition_variable opened;
    bool is_open = false;
    int events = 0;

    void open() {
        const std::lock_guard lock(mutex);
        is_open = true;
        opened.notify_all();
    }
};
Gate& gate() {
    static auto* const one = new Gate();  // never destroyed: the abandoned thread may outlive all
    return *one;
}

const sluice_observer kStuck = {
    [](const sluice_host*, const sluice_value*, void** self, sluice_error*) noexcept -> sluice_status {
        *self = nullptr;
        return SLUICE_OK;
    },
    [](void*) noexcept {},
    [](void*) noexcept -> std::uint64_t { return 1U << SLUICE_EVENT_STEP | 1U << SLUICE_EVENT_RUN_END; },
    [](void*, const sluice_event*, sluice_error*) noexcept -> sluice_status {
        std::unique_lock lock(gate().mutex);
        ++gate().events;
        gate().opened.wait(lock, [] { return gate().is_open; });
        return SLUICE_OK;
    }};

// An observer that fails at each event.
const sluice_observer kFailing = {
    [](const sluice_host*, const sluice_value*, void** self, sluice_error*) noexcept -> sluice_status {
        *self = nullptr;
        return SLUICE_OK;
    },
    [](void*) noexcept {},
    [](void*) noexcept -> std::uint64_t { return 1U << SLUICE_EVENT_CHECKPOINT | 1U << SLUICE_EVENT_RUN_END; },
    [](void*, const sluice_event*, sluice_error*) noexcept -> sluice_status { return SLUICE_FAILED; }};

TEST(Bus, warns_once_of_an_observer_that_fails_and_keeps_why_it_failed_at_the_end) {
    registry::ComponentManifest manifest;
    manifest.kind = registry::Kind::observer;
    manifest.provides = "failing";
    registry::PluginManifest plugin;
    const registry::Component component{&manifest, &plugin, nullptr, &kFailing, nullptr, "failing (test.failing 1.0)"};
    std::vector<registry::Observer> observers;
    observers.emplace_back(component, Table{}, Origin{});

    testing::internal::CaptureStderr();
    {
        Bus bus(std::move(observers));
        Event event;
        event.kind = SLUICE_EVENT_CHECKPOINT;
        bus.emit(event);
        bus.emit(event);
        bus.flush();
        EXPECT_EQ(bus.unfinished(), "");
        event.kind = SLUICE_EVENT_RUN_END;
        bus.emit(event);
        bus.flush();
        EXPECT_NE(bus.unfinished().find("failing"), std::string::npos) << bus.unfinished();
    }
    const std::string log_text = testing::internal::GetCapturedStderr();
    EXPECT_EQ(log_text.find("E "), std::string::npos) << log_text;
    EXPECT_EQ(log_text.find("training continues"), log_text.rfind("training continues")) << log_text;
}

// An observer got an event of usage at a step.
struct Usages {
    std::mutex mutex;
    std::vector<std::int64_t> steps;
};
Usages& usages() {
    static Usages one;
    return one;
}

const sluice_observer kSampling = {
    [](const sluice_host*, const sluice_value*, void** self, sluice_error*) noexcept -> sluice_status {
        *self = nullptr;
        return SLUICE_OK;
    },
    [](void*) noexcept {}, [](void*) noexcept -> std::uint64_t { return 1U << SLUICE_EVENT_USAGE; },
    [](void*, const sluice_event* event, sluice_error*) noexcept -> sluice_status {
        const std::lock_guard lock(usages().mutex);
        usages().steps.push_back(event->step);
        return SLUICE_OK;
    }};

// The sampler knows no steps, and may be early or late.
TEST(Bus, usage_reaches_all_observers_between_the_start_and_the_end_of_the_run) {
    registry::ComponentManifest manifest;
    manifest.kind = registry::Kind::observer;
    manifest.provides = "sampling";
    registry::PluginManifest plugin;
    const registry::Component component{&manifest, &plugin, nullptr, &kSampling, nullptr, "sampling (test.one 1.0)"};
    std::vector<registry::Observer> free;
    free.emplace_back(component, Table{}, Origin{});
    std::vector<registry::Observer> held;
    held.emplace_back(component, Table{}, Origin{});
    Bus bus(std::move(free), {}, std::move(held));
    EXPECT_TRUE(bus.wanted(SLUICE_EVENT_USAGE));
    EXPECT_FALSE(bus.wanted(SLUICE_EVENT_STEP));

    Event usage;
    usage.kind = SLUICE_EVENT_USAGE;
    bus.emit(usage);
    Event begin;
    begin.kind = SLUICE_EVENT_RUN_BEGIN;
    bus.emit(begin);
    bus.emit(StepEvent{.epoch = 1, .step = 7});
    bus.emit(usage);
    Event end;
    end.kind = SLUICE_EVENT_RUN_END;
    end.step = 7;
    bus.emit(end);
    bus.emit(usage);
    EXPECT_TRUE(bus.flush());
    const std::lock_guard lock(usages().mutex);
    EXPECT_EQ(usages().steps, (std::vector<std::int64_t>{7, 7}));
}

TEST(Bus, goes_on_without_an_observer_that_never_returns) {
    registry::ComponentManifest manifest;
    manifest.kind = registry::Kind::observer;
    manifest.provides = "stuck";
    registry::PluginManifest plugin;
    const registry::Component component{&manifest, &plugin, nullptr, &kStuck, nullptr, "stuck (test.stuck 1.0)"};
    std::vector<registry::Observer> observers;
    observers.emplace_back(component, Table{}, Origin{});

    testing::internal::CaptureStderr();
    const auto begin = std::chrono::steady_clock::now();
    {
        Bus bus(std::move(observers), {.warn = 50ms, .give_up = 200ms});
        bus.emit(StepEvent{});
        EXPECT_FALSE(bus.flush(0s));  // like a save that does not wait
        for (int i = 0; i < 2000; ++i) {
            bus.emit(StepEvent{});
        }
        Event end;
        end.kind = SLUICE_EVENT_RUN_END;
        bus.emit(end);  // the queue has no room for it
        bus.flush();
        EXPECT_NE(bus.unfinished().find("did not return"), std::string::npos) << bus.unfinished();
    }
    const auto lasted = std::chrono::steady_clock::now() - begin;
    const std::string log_text = testing::internal::GetCapturedStderr();
    gate().open();
    EXPECT_GE(lasted, 200ms);
    EXPECT_LT(lasted, 10s);
    EXPECT_NE(log_text.find("W observer stuck (test.stuck 1.0) has been handling one event for"), std::string::npos)
        << log_text;
    EXPECT_NE(log_text.find("E observer stuck (test.stuck 1.0) did not return from an event within 0.2 s"),
              std::string::npos)
        << log_text;
}

TEST(Bus, sums_the_step_clock) {
    Bus bus({});
    bus.emit(Event{.kind = SLUICE_EVENT_RUN_BEGIN, .text = {}, .scalars = {}, .tensors = {}});
    for (std::int64_t i = 1; i <= 10; ++i) {
        StepEvent event{.epoch = 1, .step = i};
        event.add("loss", 7.0);
        event.add("step_seconds", 0.5);
        bus.emit(event);
    }
    EXPECT_EQ(bus.pace().figures().steps, 10);
    EXPECT_DOUBLE_EQ(bus.pace().figures().step_seconds, 0.5);
}

}  // namespace
}  // namespace sluice::observe
