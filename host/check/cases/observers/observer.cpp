// Cases for observers: the events of a whole run, and some that no run has.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <limits>

#include "check/cases/observers/fenced_bytes.hpp"
#include "check/cases/observers/observed_run.hpp"
#include "check/cases/sized_struct.hpp"

namespace sluice::check {
namespace {

using Clock = std::chrono::steady_clock;

class ObserverTestObject final : public TestObject {
public:
    explicit ObserverTestObject(Trial& trial) : observer_(open_observer(trial)), folder_(run_folder(trial)) {}
    std::string use() override {
        ObservedRun run(folder_);
        std::string failed;
        run.visit([&](const sluice_event& event) {
            const Answer answer = is_wanted(observer_, event.kind) ? send(observer_, event) : Answer{};
            failed += answer.status == SLUICE_OK ? "" : answer.message + "\n";
        });
        return failed;
    }

private:
    registry::Observer observer_;
    std::string folder_;
};

void takes_a_run(Trial& trial) {
    const registry::Observer observer = open_observer(trial);
    ObservedRun run(run_folder(trial));
    run.visit([&](const sluice_event& event) {
        const std::string call = fmt::format("on_event() of kind {} at step {}", event.kind, event.step);
        trial.doing(call);
        const auto begin = Clock::now();
        const Answer answer = is_wanted(observer, event.kind) ? send(observer, event) : Answer{};
        trial.expect_reason(answer, call);
        expect(answer.status == SLUICE_OK, fmt::format("{} fails: {}", call, answer.message));
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        if (seconds > 1.0) {
            trial.warn(fmt::format("{} takes {:.1f} s; the host drops step events meanwhile", call, seconds));
        }
    });
}

// The host sends only the kinds of events that an observer wants. But an observer must ignore those that it does not
// know, such as the kinds that were added since 1.0.
void passes_over_the_unknown(Trial& trial) {
    const registry::Observer observer = open_observer(trial);
    ObservedRun run(run_folder(trial));
    const auto send_unknown = [&](const sluice_event& event) {
        const std::string call = fmt::format("on_event() of the unknown kind {}", event.kind);
        trial.doing(call);
        const Answer answer = send(observer, event);
        expect(answer.status == SLUICE_OK, fmt::format("{} fails: {}", call, answer.message));
    };
    bool has_begun = false;
    run.visit([&](const sluice_event& event) {
        if (is_wanted(observer, event.kind)) {
            send(observer, event);
        } else if (event.kind > SLUICE_EVENT_RUN_END) {
            send_unknown(event);
        }
        if (!has_begun) {
            has_begun = true;
            for (const std::uint32_t kind : {SLUICE_EVENT_PROFILE + 1U, 63U, 64U, 4000000000U}) {
                const std::array scalars{ObservedRun::scalar("of_tomorrow", 1.0)};
                send_unknown(run.event(kind, 1, 1, "", scalars));
            }
        }
    });
}

void takes_odd_values(Trial& trial) {
    const registry::Observer observer = open_observer(trial);
    ObservedRun run(run_folder(trial));
    run.visit([&](const sluice_event& event) {
        sluice_event odd = event;
        const std::string long_name(3000, 'n');
        const std::array scalars{ObservedRun::scalar("loss", std::numeric_limits<double>::quiet_NaN()),
                                 ObservedRun::scalar("rate", std::numeric_limits<double>::infinity()),
                                 ObservedRun::scalar("of, \"tomorrow\"\n", -0.0),
                                 ObservedRun::scalar(long_name, std::numeric_limits<double>::denorm_min())};
        const bool has_scalars = event.kind == SLUICE_EVENT_STEP || event.kind == SLUICE_EVENT_EVALUATION ||
                                 event.kind == SLUICE_EVENT_USAGE;
        if (has_scalars) {
            const bool has_none = event.step % 2 != 0;
            odd.scalars = has_none ? nullptr : scalars.data();
            odd.scalar_count = has_none ? 0 : scalars.size();
        }
        trial.doing(fmt::format("on_event() of kind {} with {}", event.kind,
                                odd.scalar_count > 0 ? "NaN, infinity and odd names" : "no scalars: NULL"));
        const Answer answer = is_wanted(observer, odd.kind) ? send(observer, odd) : Answer{};
        expect(answer.status == SLUICE_OK,
               fmt::format("on_event() of kind {} fails with odd scalars or none: {}", event.kind, answer.message));
    });
}

// Sends the events of a run whose folder is removed by `lose`, before the run or after its first event. A failure must
// have a message, and the next event is sent all the same.
template <class Lose>
void send_without_folder(Trial& trial, const std::string& how, bool begins_with_it, const Lose& lose) {
    const registry::Observer observer = open_observer(trial);
    ObservedRun run(run_folder(trial));
    if (!begins_with_it) {
        lose(run.folder());
    }
    run.visit([&](const sluice_event& event) {
        const std::string call = fmt::format("on_event() of kind {} {}", event.kind, how);
        trial.doing(call);
        if (is_wanted(observer, event.kind)) {
            trial.expect_reason(send(observer, event), call);
        }
        if (begins_with_it && event.kind == SLUICE_EVENT_RUN_BEGIN) {
            lose(run.folder());
        }
    });
}

void outlives_its_folder(Trial& trial) {
    const auto remove = [](const std::filesystem::path& folder) { std::filesystem::remove_all(folder); };
    send_without_folder(trial, "with the run's folder removed during the run", true, remove);
    send_without_folder(trial, "with the run's folder removed before the run", false, remove);
    send_without_folder(trial, "with a file in place of the run's folder", false,
                        [&](const std::filesystem::path& folder) {
                            remove(folder);
                            std::ofstream(folder) << "a file\n";
                        });
}

void observer_takes_structs_of_any_size(Trial& trial) {
    const registry::Observer observer = open_observer(trial);
    ObservedRun run(run_folder(trial));
    run.visit([&](const sluice_event& event) {
        SizedStruct<sluice_event> larger(true);
        const std::uint64_t size = larger.value.struct_size;
        larger.value = event;
        larger.value.struct_size = size;
        const Answer answer = is_wanted(observer, event.kind)
                                  ? ask(observer.object().table()->on_event, observer.object().self(),
                                        static_cast<const sluice_event*>(&larger.value))
                                  : Answer{};
        expect(answer.status == SLUICE_OK,
               fmt::format("on_event() fails with a larger sluice_event: {}", answer.message));
    });
}

// Hosts of 1.0 send events that end before `profile`, and no kinds after RUN_END.
void takes_events_of_an_older_host(Trial& trial) {
    constexpr std::size_t kSize = offsetof(sluice_event, profile);
    const registry::Observer observer = open_observer(trial);
    ObservedRun run(run_folder(trial));
    run.visit([&](const sluice_event& event) {
        if (event.kind > SLUICE_EVENT_RUN_END || !is_wanted(observer, event.kind)) {
            return;
        }
        const std::string call = fmt::format("on_event() of kind {} with a struct_size of {}", event.kind, kSize);
        trial.doing(call);
        const FencedBytes bytes(kSize);
        sluice_event older = event;
        older.struct_size = kSize;
        std::memcpy(bytes.data(), &older, kSize);
        const Answer answer = send(observer, *reinterpret_cast<const sluice_event*>(bytes.data()));
        expect(answer.status == SLUICE_OK, fmt::format("{} fails: {}", call, answer.message));
    });
}

std::unique_ptr<TestObject> make_observer_test_object(Trial& trial) {
    return std::make_unique<ObserverTestObject>(trial);
}

constexpr Case kObserverCases[] = {
    {"observer.run",
     "The events of a run, including pictures, weights and a recorded window, are accepted in order, each within a "
     "second.",
     takes_a_run},
    {"observer.unknown", "Unknown events and scalars are ignored, and so are later kinds that it does not want.",
     passes_over_the_unknown},
    {"observer.values", "Scalars that are missing, not finite or oddly named are accepted.", takes_odd_values},
    {"observer.folder_gone", "An observer that cannot write says why, and accepts the next event.",
     outlives_its_folder},
    {"observer.struct_sizes", "A larger struct of a newer host changes nothing.", observer_takes_structs_of_any_size},
    {"observer.older_host", "The event of an older host is not read beyond its size.", takes_events_of_an_older_host},
};

}  // namespace

const KindCases& observer_cases() {
    static const std::vector<Case> kAll = joined({kObserverCases, observer_window_cases()});
    static const KindCases kObserver{
        {make_observer_test_object, create_plain<sluice_observer>, destroy_plain<sluice_observer>}, kAll};
    return kObserver;
}

}  // namespace sluice::check
