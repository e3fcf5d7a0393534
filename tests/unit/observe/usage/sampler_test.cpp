// The sampler's thread: rows and events while a run trains, a last row at its end, and little CPU time.
#include "observe/usage/sampler.hpp"

#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

#include "base/files.hpp"
#include "observe/cpu_time.hpp"
#include "observe/usage/row.hpp"
#include "unit/captured_log.hpp"
#include "unit/folder_test.hpp"

namespace sluice::observe {
namespace {

using namespace std::chrono_literals;

struct SeenUsage {
    std::mutex mutex;
    std::vector<std::map<std::string, double>> events;
};
SeenUsage& seen_usage() {
    static SeenUsage one;
    return one;
}

const sluice_observer kCollecting = {
    [](const sluice_host*, const sluice_value*, void** self, sluice_error*) noexcept -> sluice_status {
        *self = nullptr;
        return SLUICE_OK;
    },
    [](void*) noexcept {}, [](void*) noexcept -> std::uint64_t { return 1U << SLUICE_EVENT_USAGE; },
    [](void*, const sluice_event* event, sluice_error*) noexcept -> sluice_status {
        const std::lock_guard lock(seen_usage().mutex);
        auto& values = seen_usage().events.emplace_back();
        for (std::uint64_t i = 0; i < event->scalar_count; ++i) {
            const sluice_text name = event->scalars[i].name;
            values[std::string(name.ptr, name.len)] = event->scalars[i].value;
        }
        return SLUICE_OK;
    }};

class SamplerTest : public FolderTest {
protected:
    [[nodiscard]] std::vector<Row> rows() const {
        std::istringstream text(read_file("usage.csv"));
        std::vector<Row> all;
        std::string line;
        std::getline(text, line);
        while (std::getline(text, line)) {
            all.push_back(parse_line(columns_, line));
        }
        return all;
    }
    static void begin_run(Bus& bus) {
        Event begin;
        begin.kind = SLUICE_EVENT_RUN_BEGIN;
        bus.emit(begin);
    }

    std::vector<Column> columns_ = usage_columns(0);
};

TEST_F(SamplerTest, writes_rows_that_add_up_to_the_time_and_the_cpu_time) {
    const CapturedLog log;
    Bus bus({});
    begin_run(bus);
    Sampler sampler;
    const double cpu_start = process_cpu_seconds();
    sampler.begin(
        {.file = "usage.csv", .bus = &bus, .batches_ready = [] { return 3; }, .devices = {}, .interval = 30ms});
    while (process_cpu_seconds() - cpu_start < 0.2) {
        bus.emit(StepEvent{.epoch = 1, .step = 5});
    }
    sampler.end();
    const double cpu = process_cpu_seconds() - cpu_start;
    const std::vector<Row> all = rows();
    ASSERT_GE(all.size(), 3U);
    double cpu_seconds = 0.0;
    for (const Row& row : all) {
        ASSERT_EQ(row.size(), columns_.size());
        cpu_seconds += row[column::kCpu] * row[column::kIntervalSeconds];
        EXPECT_GT(row[column::kResidentBytes], 1e6);
        EXPECT_EQ(row[column::kBatchesReady], 3.0);
    }
    EXPECT_GT(cpu_seconds, 0.7 * cpu);
    EXPECT_LT(cpu_seconds, 1.1 * cpu);
    EXPECT_EQ(all.back()[column::kStep], 5.0);
    const std::string text = log.take();
    EXPECT_NE(text.find("usage     sampling took "), std::string::npos) << text;
    const double seconds = all.back()[column::kSeconds];  // many on a busy machine
    EXPECT_TRUE(text.find("of one core") == std::string::npos || seconds > 4.5) << text;
    EXPECT_TRUE(text.find("of one core") != std::string::npos || seconds < 5.0) << text;
}

TEST_F(SamplerTest, sends_the_columns_as_events) {
    std::vector<registry::Observer> observers;
    registry::ComponentManifest manifest;
    manifest.kind = registry::Kind::observer;
    manifest.provides = "collecting";
    registry::PluginManifest plugin;
    const registry::Component component{&manifest,    &plugin, nullptr,
                                        &kCollecting, nullptr, "collecting (test.one 1.0)"};
    observers.emplace_back(component, Table{}, Origin{});
    Bus bus(std::move(observers));
    begin_run(bus);
    Sampler sampler;
    sampler.begin({.file = {}, .bus = &bus, .batches_ready = {}, .devices = {}, .interval = 20ms});
    std::this_thread::sleep_for(100ms);
    sampler.end();
    bus.flush();
    EXPECT_FALSE(std::filesystem::exists("usage.csv"));
    const std::lock_guard lock(seen_usage().mutex);
    ASSERT_GE(seen_usage().events.size(), 2U);
    EXPECT_GT(seen_usage().events.back().at("resident_bytes"), 1e6);
    EXPECT_GT(seen_usage().events.back().at("interval_seconds"), 0.0);
    EXPECT_EQ(seen_usage().events.back().count("batches_ready"), 0U);
}

TEST_F(SamplerTest, a_run_shorter_than_an_interval_has_one_row) {
    Bus bus({});
    Sampler sampler;
    sampler.begin({.file = "usage.csv", .bus = &bus, .batches_ready = {}, .devices = {}, .interval = 1h});
    std::this_thread::sleep_for(50ms);
    sampler.end();
    sampler.end();
    ASSERT_EQ(rows().size(), 1U);
    EXPECT_LT(rows()[0][column::kIntervalSeconds], 10.0);
}

TEST_F(SamplerTest, ends_without_a_run) {
    Sampler sampler;
    sampler.end();
}

// A callback in which the sampler hangs, like the driver of a broken device.
TEST_F(SamplerTest, the_end_of_a_run_does_not_wait_for_ever) {
    static std::atomic<bool> hangs{true};
    static Bus* const bus = new Bus({});  // the abandoned thread uses it
    testing::internal::CaptureStderr();
    const auto begin = std::chrono::steady_clock::now();
    {
        Sampler sampler;
        sampler.begin({.file = {},
                       .bus = bus,
                       .batches_ready =
                           [] {
                               while (hangs) {
                                   std::this_thread::sleep_for(1ms);
                               }
                               return 0;
                           },
                       .devices = {},
                       .interval = 10ms});
        std::this_thread::sleep_for(50ms);
    }
    const auto lasted = std::chrono::steady_clock::now() - begin;
    const std::string log = testing::internal::GetCapturedStderr();
    hangs = false;
    EXPECT_LT(lasted, 20s);
    EXPECT_NE(log.find("W usage: a device or the disk does not answer"), std::string::npos) << log;
}

}  // namespace
}  // namespace sluice::observe
