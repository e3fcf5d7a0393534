// Strategies, loaded from disk: what replicas on threads of one process get of a collective, and the error about a
// missing replica.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "base/toml/toml.hpp"
#include "registry/loading/registry.hpp"
#include "registry/objects/strategy.hpp"
#include "registry/optional/processes.hpp"
#include "unit/registry/registry_files.hpp"
#include "unit/strategies/collective_ranges.hpp"

namespace sluice::registry {
namespace {

using test::on_threads;
using test::random_values;
using test::range_of;
using test::tree_sum;

class Mirrored : public testing::Test {
protected:
    Strategy open(std::int64_t replicas) {
        Table options;
        options.set("replicas", {replicas, {}});
        return {registry_.find(Kind::strategy, "mirrored", {}, "cpu"), options, {}, 1};
    }

    Registry registry_{SLUICE_TEST_PLUGIN_DIR, {}};
};

TEST_F(Mirrored, has_the_sums_of_a_fixed_tree) {
    const std::string first = "first";
    const std::string second = "second";
    for (const std::uint32_t replicas : {1U, 2U, 3U, 4U, 7U, 8U}) {
        const Strategy strategy = open(replicas);
        EXPECT_EQ(strategy.topology().world_replicas, replicas);
        const auto floats = random_values<float>(replicas, 5003);
        const auto doubles = random_values<double>(replicas, 3);
        auto summed = floats;
        auto meant = doubles;
        auto largest = floats;
        for (int turn = 0; turn < 3; ++turn) {  // later turns reuse finished collectives
            summed = floats;
            meant = doubles;
            largest = floats;
            on_threads(replicas, [&](std::uint32_t i) {
                strategy.start(range_of(summed[i], i, SLUICE_COLLECTIVE_SUM, first));
                strategy.start(range_of(meant[i], i, SLUICE_COLLECTIVE_MEAN, second));
                strategy.start(range_of(largest[i], i, SLUICE_COLLECTIVE_MAX, first));
                strategy.finish(i, 30.0);
            });
        }
        for (std::uint32_t i = 0; i < replicas; ++i) {
            for (std::size_t e = 0; e < summed[i].size(); ++e) {
                ASSERT_EQ(summed[i][e], tree_sum(floats, e, 0, replicas)) << replicas << " replicas, " << e;
                float most = floats[0][e];
                for (const auto& range : floats) {
                    most = std::max(most, range[e]);
                }
                ASSERT_EQ(largest[i][e], most);
            }
            for (std::size_t e = 0; e < meant[i].size(); ++e) {
                ASSERT_EQ(meant[i][e], tree_sum(doubles, e, 0, replicas) * (1.0 / replicas));
            }
        }
    }
}

// All collectives are started before any replica waits, with sums between the others.
TEST_F(Mirrored, scatters_sums_and_gathers_slices) {
    for (const std::uint32_t replicas : {1U, 2U, 3U, 4U, 7U}) {
        const Strategy strategy = open(replicas);
        const std::size_t slice = 1025;
        const auto floats = random_values<float>(replicas, replicas * slice);
        const auto doubles = random_values<double>(replicas, replicas);
        auto scattered = floats;
        auto gathered = floats;
        auto few = doubles;
        auto summed = floats;
        on_threads(replicas, [&](std::uint32_t i) {
            strategy.start(range_of(scattered[i], i, SLUICE_COLLECTIVE_REDUCE_SCATTER, "scattered"));
            strategy.start(range_of(summed[i], i, SLUICE_COLLECTIVE_SUM, "summed"));
            strategy.start(range_of(gathered[i], i, SLUICE_COLLECTIVE_ALL_GATHER, "gathered"));
            strategy.start(range_of(few[i], i, SLUICE_COLLECTIVE_REDUCE_SCATTER, "few"));
            strategy.start(range_of(few[i], i, SLUICE_COLLECTIVE_ALL_GATHER, "few again"));
            strategy.finish(i, 30.0);
        });
        for (std::uint32_t i = 0; i < replicas; ++i) {
            for (std::size_t e = 0; e < slice; ++e) {
                ASSERT_EQ(scattered[i][i * slice + e], tree_sum(floats, i * slice + e, 0, replicas));
            }
            for (std::size_t e = 0; e < replicas * slice; ++e) {
                ASSERT_EQ(gathered[i][e], floats[e / slice][e]) << replicas << " replicas, " << e;
                ASSERT_EQ(summed[i][e], tree_sum(floats, e, 0, replicas));
            }
            for (std::size_t e = 0; e < replicas; ++e) {
                ASSERT_EQ(few[i][e], tree_sum(doubles, e, 0, replicas));
            }
        }
    }
}

TEST_F(Mirrored, refuses_slices_that_cannot_be_equal) {
    const Strategy strategy = open(3);
    std::vector<float> values(10);
    for (const std::uint32_t kind : {SLUICE_COLLECTIVE_REDUCE_SCATTER, SLUICE_COLLECTIVE_ALL_GATHER}) {
        const std::string message =
            test::error_of([&] { strategy.start(range_of(values, 1, kind, "weights")); }, Exit::config);
        EXPECT_NE(message.find("'weights' (10 elements) cannot be cut into 3 slices of equal length"),
                  std::string::npos)
            << message;
    }
}

// All strategies that use the SDK answer like this.
TEST_F(Mirrored, refuses_what_it_does_not_know) {
    const Strategy strategy = open(1);
    std::vector<float> values(8);
    const auto expect_refused = [&](const sluice_collective& collective, const std::string& part) {
        const std::string message = test::error_of([&] { strategy.start(collective); }, Exit::plugin);
        EXPECT_NE(message.find("'gradients' " + part), std::string::npos) << message;
    };
    const sluice_collective sum = range_of(values, 0, SLUICE_COLLECTIVE_SUM, "gradients");
    sluice_collective unknown = sum;
    unknown.kind = 5;
    expect_refused(unknown, "is a collective of kind 5; those from 0 (sum) to 4 (all_gather) are known");
    for (const sluice_dtype dtype : {kBfloat16, kInt64, kUint8}) {
        sluice_collective other = sum;
        other.dtype = dtype;
        other.wire = dtype;
        expect_refused(other, "has elements of type ");
    }
    for (const sluice_dtype wire : {kFloat16, kFloat64}) {
        sluice_collective other = sum;
        other.wire = wire;
        expect_refused(other, "is of float32 and cannot be sent as float");
    }
    sluice_collective narrow = range_of(values, 0, SLUICE_COLLECTIVE_SUM, "gradients");
    narrow.dtype = kFloat64;
    narrow.wire = kBfloat16;
    expect_refused(narrow, "is of float64 and cannot be sent as bfloat16");
    strategy.start(sum);
    strategy.finish(0, 30.0);
}

TEST_F(Mirrored, takes_many_collectives_before_anybody_waits) {
    constexpr std::uint32_t kReplicas = 3;
    constexpr std::size_t kCollectives = 100;
    const Strategy strategy = open(kReplicas);
    std::vector<std::vector<std::vector<float>>> values(kReplicas);
    std::vector<std::string> names;
    for (std::size_t c = 0; c < kCollectives; ++c) {
        names.push_back("range " + std::to_string(c));
    }
    on_threads(kReplicas, [&](std::uint32_t i) {
        values[i].assign(kCollectives, std::vector<float>(17, static_cast<float>(i + 1)));
        for (std::size_t c = 0; c < kCollectives; ++c) {
            strategy.start(range_of(values[i][c], i, SLUICE_COLLECTIVE_SUM, names[c]));
        }
        strategy.finish(i, 30.0);
    });
    for (const auto& ranges : values) {
        for (const std::vector<float>& range : ranges) {
            EXPECT_EQ(range, std::vector<float>(17, 6.0F));
        }
    }
}

// The error message that each replica gets.
using Messages = std::vector<std::string>;

TEST_F(Mirrored, names_who_does_not_come) {
    const Strategy strategy = open(3);
    std::vector<std::vector<float>> values(3, std::vector<float>(8));
    Messages message(3);
    on_threads(3, [&](std::uint32_t i) {
        if (i == 1) {
            return;
        }
        strategy.start(range_of(values[i], i, SLUICE_COLLECTIVE_SUM, "gradients 2 of 7"));
        message[i] = test::error_of([&] { strategy.finish(i, 2.0); }, Exit::replica_lost);
    });
    for (const std::uint32_t i : {0U, 2U}) {
        EXPECT_NE(message[i].find("replica 1 did not join 'gradients 2 of 7' (8 elements) within 2 s"),
                  std::string::npos)
            << message[i];
        EXPECT_EQ(message[i].find("the others waited"), std::string::npos) << message[i];
    }
}

TEST_F(Mirrored, names_who_is_out_of_step) {
    const Strategy strategy = open(2);
    std::vector<std::vector<float>> values{std::vector<float>(8), std::vector<float>(9)};
    strategy.start(range_of(values[0], 0, SLUICE_COLLECTIVE_SUM, "gradients"));
    const std::string expected =
        "replica 1 is out of step: it started 'gradients' (9 elements), but replica 0 started 'gradients' (8 elements)";
    const auto expect_out_of_step = [&](const std::function<void()>& call) {
        const std::string message = test::error_of(call, Exit::replica_lost);
        EXPECT_NE(message.find(expected), std::string::npos) << message;
    };
    expect_out_of_step([&] { strategy.start(range_of(values[1], 1, SLUICE_COLLECTIVE_SUM, "gradients")); });
    expect_out_of_step([&] { strategy.finish(0, 10.0); });
}

TEST_F(Mirrored, wakes_all_if_it_is_aborted) {
    const Strategy strategy = open(2);
    std::vector<float> values(8);
    std::string message;
    {
        strategy.start(range_of(values, 0, SLUICE_COLLECTIVE_SUM, "gradients"));
        const std::jthread waits(
            [&] { message = test::error_of([&] { strategy.finish(0, 0.0); }, Exit::replica_lost); });
        std::this_thread::sleep_for(std::chrono::milliseconds(100));  // finish() waits by now
        strategy.abort("replica 1 has failed: no memory");
    }
    EXPECT_NE(message.find("replica 1 has failed: no memory; the others waited for 'gradients' (8 elements)"),
              std::string::npos)
        << message;
    (void)test::error_of([&] { strategy.start(range_of(values, 0, SLUICE_COLLECTIVE_SUM, "next")); },
                         Exit::replica_lost);
}

// ---- a strategy that claims replicas of other processes, and cannot say which process this is

const sluice_strategy kFar = {
    [](const sluice_host*, const sluice_value*, std::uint32_t, void** self, sluice_error*) noexcept -> sluice_status {
        *self = nullptr;
        return SLUICE_OK;
    },
    [](void*) noexcept {},
    [](void*, sluice_topology* topology, sluice_error*) noexcept -> sluice_status {
        topology->local_replicas = 2;
        topology->world_replicas = 4;
        return SLUICE_OK;
    },
    [](void*, const sluice_collective*, sluice_error*) noexcept -> sluice_status { return SLUICE_OK; },
    [](void*, std::uint32_t, double, sluice_error*) noexcept -> sluice_status { return SLUICE_OK; },
    [](void*, sluice_text) noexcept {}};

TEST(Strategy, of_several_processes_tells_which_one_this_is) {
    ComponentManifest manifest;
    manifest.kind = Kind::strategy;
    manifest.id = "test.far";
    manifest.provides = "far";
    PluginManifest plugin;
    plugin.id = "test";
    plugin.version = "1.0";
    const sluice_component entry{SLUICE_TEXT("test.far"),
                                 [](const sluice_component*, const char*) noexcept -> const void* { return nullptr; }};
    const Strategy strategy({&manifest, &plugin, &entry, &kFar, nullptr, {}}, {}, {}, 1);
    EXPECT_EQ(
        test::error_of([&] { const Processes processes(strategy); }, Exit::plugin),
        "plugin test 1.0 misbehaves: strategy 'far': 2 of its 4 replicas are in this process, but it does not serve "
        "sluice.processes/1 to reach the others");
}

}  // namespace
}  // namespace sluice::registry
