// The events that observers get of a training.
#include "run/train/run_events.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "unit/plan_bench.hpp"

namespace sluice::test {
namespace {

struct ReceivedEvent {
    std::uint32_t kind = 0;
    std::string text;
    std::map<std::string, double> scalars;
    std::vector<std::string> tensors;  // their names
};

// The thread of the bus writes them. They may be read after Bus::flush().
std::vector<ReceivedEvent>& received_events() {
    static std::vector<ReceivedEvent> events;
    return events;
}

std::string string_of(const sluice_text& text) { return {text.ptr, text.len}; }

const sluice_observer kRecording = {
    [](const sluice_host*, const sluice_value*, void** self, sluice_error*) noexcept -> sluice_status {
        *self = nullptr;
        return SLUICE_OK;
    },
    [](void*) noexcept {}, [](void*) noexcept -> std::uint64_t { return (1U << (SLUICE_EVENT_RUN_END + 1)) - 1; },
    [](void*, const sluice_event* event, sluice_error*) noexcept -> sluice_status {
        ReceivedEvent& received = received_events().emplace_back();
        received.kind = event->kind;
        received.text = string_of(event->text);
        for (std::uint64_t i = 0; i < event->scalar_count; ++i) {
            received.scalars[string_of(event->scalars[i].name)] = event->scalars[i].value;
        }
        for (std::uint64_t i = 0; i < event->tensor_count; ++i) {
            received.tensors.push_back(string_of(event->tensors[i].name));
        }
        return SLUICE_OK;
    }};

class RunEventsTest : public testing::Test {
protected:
    RunEventsTest() {
        received_events().clear();
        manifest_.kind = registry::Kind::observer;
        manifest_.provides = "recording";
        const registry::Component component{&manifest_,  &plugin_, nullptr,
                                            &kRecording, nullptr,  "recording (test.recording 1.0)"};
        std::vector<registry::Observer> observers;
        observers.emplace_back(component, Table{}, Origin{});
        bus_ = std::make_unique<observe::Bus>(std::move(observers));
        events_ = std::make_unique<run::RunEvents>(spec_, *bus_, "run");
    }

    // Returns the only event since the last call.
    ReceivedEvent take() {
        bus_->flush();
        EXPECT_EQ(received_events().size(), 1U);
        ReceivedEvent event = received_events().empty() ? ReceivedEvent{} : received_events().front();
        received_events().clear();
        return event;
    }

    config::PipelineSpec spec_ = config::load_pipeline_text(kModel, "test.toml", {});
    registry::ComponentManifest manifest_;
    registry::PluginManifest plugin_;
    std::unique_ptr<observe::Bus> bus_;
    std::unique_ptr<run::RunEvents> events_;
    run::Progress progress_;
};

std::vector<std::string> names_of(const std::map<std::string, double>& scalars) {
    std::vector<std::string> names;
    for (const auto& [name, value] : scalars) {
        names.push_back(name);
    }
    return names;
}

TEST_F(RunEventsTest, a_step_has_the_norm_if_it_is_clipped_and_the_scale_if_it_is_scaled) {
    const run::StepInFlight step{};
    run::StepResult result;
    result.loss = {.sum = 6.0, .weight = 3.0};
    profile::StageSeconds seconds;
    seconds[profile::Stage::forward] = 0.75;
    seconds[profile::Stage::exchange] = 0.75;
    seconds[profile::Stage::read] = 0.375;
    seconds[profile::Stage::preprocess] = 0.125;
    const std::vector<std::string> always{
        "backward_seconds",  "data_seconds",  "download_seconds", "exchange_seconds", "forward_seconds",    "loss",
        "optimizer_seconds", "other_seconds", "output_seconds",   "prepare_seconds",  "preprocess_seconds", "rate",
        "read_seconds",      "samples",       "step_seconds",     "storage_seconds",  "upload_seconds"};
    events_->emit_step(step, result, seconds, false, "decode");
    const ReceivedEvent plain = take();
    EXPECT_EQ(plain.kind, static_cast<std::uint32_t>(SLUICE_EVENT_STEP));
    EXPECT_EQ(plain.text, "decode");
    EXPECT_EQ(names_of(plain.scalars), always);
    EXPECT_EQ(plain.scalars.at("loss"), 2.0);
    EXPECT_EQ(plain.scalars.at("step_seconds"), 2.0);
    EXPECT_EQ(plain.scalars.at("data_seconds"), 0.5);
    EXPECT_EQ(plain.scalars.at("forward_seconds"), 0.75);
    EXPECT_EQ(plain.scalars.at("exchange_seconds"), 0.75);
    EXPECT_EQ(plain.scalars.at("other_seconds"), 0.0);

    spec_.clip_norm = 1.0;
    events_->emit_step(step, result, seconds, false, "decode");
    const ReceivedEvent clipped = take();
    EXPECT_TRUE(clipped.scalars.contains("gradient_norm"));
    EXPECT_FALSE(clipped.scalars.contains("loss_scale"));
    spec_.clip_norm = 0.0;
    events_->emit_step(step, result, seconds, true, "");
    const ReceivedEvent scaled = take();
    for (const char* const name : {"gradient_norm", "loss_scale", "skipped_steps", "good_steps"}) {
        EXPECT_TRUE(scaled.scalars.contains(name)) << name;
    }
}

TEST_F(RunEventsTest, the_rate_of_an_epoch_is_its_samples_by_its_seconds) {
    progress_.epoch_loss = {.sum = 6.0, .weight = 3.0};
    events_->emit_epoch_end("abc", 2.0, 10, progress_);
    const ReceivedEvent event = take();
    EXPECT_EQ(event.text, "abc");
    EXPECT_EQ(event.scalars,
              (std::map<std::string, double>{{"loss", 2.0}, {"seconds", 2.0}, {"samples_per_second", 5.0}}));
}

TEST_F(RunEventsTest, pictures_of_an_evaluation_are_named_by_the_epoch_at_its_end_and_else_by_the_step) {
    run::Evaluation evaluation;
    evaluation.loss = {.sum = 1.0, .weight = 1.0};
    evaluation.pictures = {{"output", SLUICE_FIELD_IMAGE, {make_spec(kFloat32, {1, 1, 1, 1}), {0, 0, 0, 0}}}};
    progress_.epoch = 2;
    progress_.step = 12;
    for (const auto& [batch, name] : {std::pair{std::uint64_t{0}, "epoch_002"}, {std::uint64_t{3}, "step_000012"}}) {
        progress_.batch = batch;
        received_events().clear();
        events_->emit_evaluation(evaluation, batch == 0, progress_);
        bus_->flush();
        ASSERT_EQ(received_events().size(), 2U);
        EXPECT_EQ(received_events()[0].scalars.at("validation_loss"), 1.0);
        EXPECT_EQ(received_events()[0].text, batch == 0 ? "validation_loss" : "");
        EXPECT_EQ(received_events()[1].text, name);
        EXPECT_EQ(received_events()[1].tensors, std::vector<std::string>{"output"});
    }
}

TEST_F(RunEventsTest, the_first_batch_has_the_pictures_among_its_fields) {
    data::Batch batch;
    batch.count = 1;
    batch.made = {0, 1};
    batch.fields = {{"blurred", SLUICE_FIELD_IMAGE, {make_spec(kUint8, {1, 1, 1, 1}), {7}}},
                    {"sharp", SLUICE_FIELD_IMAGE, {make_spec(kUint8, {1, 1, 1, 1}), {8}}},
                    {"label", SLUICE_FIELD_CLASS, {make_spec(kUint8, {1}), {9}}}};
    batch.names = {"a.png"};
    events_->emit_first_batch(batch, progress_);
    const ReceivedEvent event = take();
    EXPECT_EQ(event.text, "batch_0");
    EXPECT_EQ(event.tensors, (std::vector<std::string>{"input", "target"}));
}

TEST_F(RunEventsTest, a_checkpoint_is_written_by_observers_before_the_run_goes_on) {
    events_->emit_checkpoint("last.safetensors", progress_);
    ASSERT_EQ(received_events().size(), 1U);
    EXPECT_EQ(received_events()[0].text, "last.safetensors");
}

TEST_F(RunEventsTest, the_last_event_states_how_the_run_ended_and_what_its_time_was_spent_on) {
    profile::StageSeconds steps;
    steps[profile::Stage::forward] = 3.0;
    steps[profile::Stage::other] = 0.5;
    run::RunAccount account;
    account.add(run::Phase::steps, steps);
    events_->emit_end("interrupted", account, progress_);
    ASSERT_EQ(received_events().size(), 1U);
    const ReceivedEvent& event = received_events()[0];
    EXPECT_EQ(event.kind, static_cast<std::uint32_t>(SLUICE_EVENT_RUN_END));
    EXPECT_EQ(event.text, "interrupted");
    EXPECT_EQ(event.scalars.at("steps_seconds"), 3.5);
    EXPECT_EQ(event.scalars.at("evaluation_seconds"), 0.0);
    EXPECT_EQ(event.scalars.at("other_seconds"), 0.5);
}

}  // namespace
}  // namespace sluice::test
