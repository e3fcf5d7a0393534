// Cases for observers: the events of a whole run, and some that no run has.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>

#include "check/cases/sized_struct.hpp"
#include "check/contract/cases.hpp"
#include "check/isolation/new_folder.hpp"
#include "registry/objects/observer.hpp"

namespace sluice::check {
namespace {

using Clock = std::chrono::steady_clock;

registry::Observer open_observer(Trial& trial) { return {trial.component(), trial.options(), {}}; }

sluice_text text_of(std::string_view text) { return {text.data(), text.size()}; }

// Makes the events of a run as the host sends them. Owns their texts and tensors.
class Run {
public:
    // `folder` is the run's folder, which exists.
    explicit Run(std::string folder) : folder_(std::move(folder)) {
        picture_.spec = make_spec(kUint8, {2, 24, 32, 3});
        picture_.bytes.resize(byte_count(picture_.spec));
        for (std::size_t i = 0; i < picture_.bytes.size(); ++i) {
            picture_.bytes[i] = static_cast<std::uint8_t>(i);
        }
        const sluice_tensor tensor = plugin_view(picture_.spec, picture_.bytes.data(), strides_);
        tensors_ = {{{SLUICE_TEXT("input"), tensor}, {SLUICE_TEXT("output"), tensor}, {SLUICE_TEXT("target"), tensor}}};
    }

    // Calls visit(event) for each event.
    template <class Visit>
    void visit(const Visit& visit) {
        const std::array begin{scalar("epochs", 2), scalar("steps", 4), scalar("steps_per_epoch", 2),
                               scalar("batch", 8), scalar("first_step", 0)};
        visit(event(SLUICE_EVENT_RUN_BEGIN, 0, 0, folder_, begin));
        for (std::int64_t epoch = 1; epoch <= 2; ++epoch) {
            for (std::int64_t step = 2 * epoch - 1; step <= 2 * epoch; ++step) {
                const std::array scalars{scalar("loss", 1.0 / static_cast<double>(step)), scalar("rate", 1e-3),
                                         scalar("step_seconds", 0.01), scalar("data_seconds", 0.0),
                                         scalar("samples", 8)};
                visit(event(SLUICE_EVENT_STEP, epoch, step, "", scalars));
            }
            const std::array ends{scalar("loss", 0.5), scalar("seconds", 0.1), scalar("samples_per_second", 160)};
            visit(event(SLUICE_EVENT_EPOCH_END, epoch, 2 * epoch, std::string(64, 'a'), ends));
            const std::array found{scalar("validation_loss", 0.6), scalar("psnr", 30.0)};
            visit(event(SLUICE_EVENT_EVALUATION, epoch, 2 * epoch, "", found));
            sluice_event pictures =
                event(SLUICE_EVENT_SAMPLES, epoch, 2 * epoch, fmt::format("epoch_{:03}", epoch), {});
            pictures.tensors = tensors_.data();
            pictures.tensor_count = tensors_.size();
            visit(pictures);
            visit(event(SLUICE_EVENT_CHECKPOINT, epoch, 2 * epoch, "checkpoints/last.safetensors", {}));
        }
        visit(event(SLUICE_EVENT_RUN_END, 2, 4, "finished", {}));
    }

    sluice_event event(std::uint32_t kind, std::int64_t epoch, std::int64_t step, const std::string& text,
                       std::span<const sluice_scalar> scalars) {
        text_ = text;
        sluice_event event{};
        event.struct_size = sizeof(event);
        event.kind = kind;
        event.epoch = epoch;
        event.step = step;
        event.seconds = 0.1 * static_cast<double>(step);
        event.text = text_of(text_);
        event.scalars = scalars.data();
        event.scalar_count = scalars.size();
        return event;
    }
    [[nodiscard]] const std::string& folder() const { return folder_; }
    static sluice_scalar scalar(std::string_view name, double value) { return {text_of(name), value}; }

private:
    std::string folder_;
    std::string text_;
    HostTensor picture_;
    Strides strides_{};
    std::array<sluice_named_tensor, 3> tensors_{};
};

std::string run_folder(Trial& trial) { return new_folder(trial.folder().path(), "run_").string(); }

Answer send(const registry::Observer& observer, const sluice_event& event) {
    return ask(observer.object().table()->on_event, observer.object().self(), &event);
}

bool is_wanted(const registry::Observer& observer, const sluice_event& event) {
    return (observer.wants() >> event.kind & 1) != 0;
}

class ObserverTestObject final : public TestObject {
public:
    explicit ObserverTestObject(Trial& trial) : observer_(open_observer(trial)), folder_(run_folder(trial)) {}
    std::string use() override {
        Run run(folder_);
        std::string failed;
        run.visit([&](const sluice_event& event) {
            const Answer answer = is_wanted(observer_, event) ? send(observer_, event) : Answer{};
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
    Run run(run_folder(trial));
    run.visit([&](const sluice_event& event) {
        const std::string call = fmt::format("on_event() of kind {} at step {}", event.kind, event.step);
        trial.doing(call);
        const auto begin = Clock::now();
        const Answer answer = is_wanted(observer, event) ? send(observer, event) : Answer{};
        trial.expect_reason(answer, call);
        expect(answer.status == SLUICE_OK, fmt::format("{} fails: {}", call, answer.message));
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        if (seconds > 1.0) {
            trial.warn(fmt::format("{} takes {:.1f} s; the host drops step events meanwhile", call, seconds));
        }
    });
}

// The host sends only the kinds of events that an observer wants, but an observer must ignore unknown kinds.
void passes_over_the_unknown(Trial& trial) {
    const registry::Observer observer = open_observer(trial);
    Run run(run_folder(trial));
    bool has_begun = false;
    run.visit([&](const sluice_event& event) {
        if (is_wanted(observer, event)) {
            send(observer, event);
        }
        if (!has_begun) {
            has_begun = true;
            for (const std::uint32_t kind : {7U, 63U, 64U, 4000000000U}) {
                const std::string call = fmt::format("on_event() of the unknown kind {}", kind);
                trial.doing(call);
                const std::array scalars{Run::scalar("of_tomorrow", 1.0)};
                const Answer answer = send(observer, Run(run.folder()).event(kind, 1, 1, "", scalars));
                expect(answer.status == SLUICE_OK, fmt::format("{} fails: {}", call, answer.message));
            }
        }
    });
}

void takes_odd_values(Trial& trial) {
    const registry::Observer observer = open_observer(trial);
    Run run(run_folder(trial));
    run.visit([&](const sluice_event& event) {
        sluice_event odd = event;
        const std::string long_name(3000, 'n');
        const std::array scalars{Run::scalar("loss", std::numeric_limits<double>::quiet_NaN()),
                                 Run::scalar("rate", std::numeric_limits<double>::infinity()),
                                 Run::scalar("of, \"tomorrow\"\n", -0.0),
                                 Run::scalar(long_name, std::numeric_limits<double>::denorm_min())};
        const bool has_scalars = event.kind == SLUICE_EVENT_STEP || event.kind == SLUICE_EVENT_EVALUATION;
        if (has_scalars) {
            const bool has_none = event.step % 2 != 0;
            odd.scalars = has_none ? nullptr : scalars.data();
            odd.scalar_count = has_none ? 0 : scalars.size();
        }
        trial.doing(fmt::format("on_event() of kind {} with {}", event.kind,
                                odd.scalar_count > 0 ? "NaN, infinity and odd names" : "no scalars: NULL"));
        const Answer answer = is_wanted(observer, odd) ? send(observer, odd) : Answer{};
        expect(answer.status == SLUICE_OK,
               fmt::format("on_event() of kind {} fails with odd scalars or none: {}", event.kind, answer.message));
    });
}

// Sends the events of a run whose folder is removed by `lose`, before the run or after its first event. A failure must
// have a message, and the next event is sent all the same.
template <class Lose>
void send_without_folder(Trial& trial, const std::string& how, bool begins_with_it, const Lose& lose) {
    const registry::Observer observer = open_observer(trial);
    Run run(run_folder(trial));
    if (!begins_with_it) {
        lose(run.folder());
    }
    run.visit([&](const sluice_event& event) {
        const std::string call = fmt::format("on_event() of kind {} {}", event.kind, how);
        trial.doing(call);
        if (is_wanted(observer, event)) {
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
    Run run(run_folder(trial));
    run.visit([&](const sluice_event& event) {
        SizedStruct<sluice_event> larger(true);
        const std::uint64_t size = larger.value.struct_size;
        larger.value = event;
        larger.value.struct_size = size;
        const Answer answer = is_wanted(observer, event)
                                  ? ask(observer.object().table()->on_event, observer.object().self(),
                                        static_cast<const sluice_event*>(&larger.value))
                                  : Answer{};
        expect(answer.status == SLUICE_OK,
               fmt::format("on_event() fails with a larger sluice_event: {}", answer.message));
    });
}

std::unique_ptr<TestObject> make_observer_test_object(Trial& trial) {
    return std::make_unique<ObserverTestObject>(trial);
}

constexpr Case kObserverCases[] = {
    {"observer.run",
     "The events of a run, including pictures and scalars, are accepted in order, each within a second.", takes_a_run},
    {"observer.unknown", "Unknown events and scalars are ignored.", passes_over_the_unknown},
    {"observer.values", "Scalars that are missing, not finite or oddly named are accepted.", takes_odd_values},
    {"observer.folder_gone", "An observer that cannot write says why, and accepts the next event.",
     outlives_its_folder},
    {"observer.struct_sizes", "A larger struct of a newer host changes nothing.", observer_takes_structs_of_any_size},
};

}  // namespace

const KindCases& observer_cases() {
    static constexpr KindCases kObserver{
        {make_observer_test_object, create_plain<sluice_observer>, destroy_plain<sluice_observer>}, kObserverCases};
    return kObserver;
}

}  // namespace sluice::check
