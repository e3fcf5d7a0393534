// The strategy multi_worker, loaded from disk by each process that mpirun has started: results of collectives, messages
// between processes, and errors about a missing one.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/toml/toml.hpp"
#include "registry/loading/registry.hpp"
#include "registry/objects/strategy.hpp"
#include "registry/optional/processes.hpp"
#include "unit/strategies/collective_ranges.hpp"

namespace sluice::registry {
namespace {

constexpr double kTimeout = 60.0;

// A process can start MPI only once, so all tests share this object.
struct World {
    explicit World(std::int64_t replicas)
        : registry(SLUICE_TEST_PLUGIN_DIR, {}),
          strategy(registry.find(Kind::strategy, "multi_worker", {}, "cpu"), options(replicas), {}, 1),
          processes(strategy) {}

    static Table options(std::int64_t replicas) {
        Table options;
        options.set("replicas", {replicas, {}});
        options.set("patience", {kTimeout, {}});
        return options;
    }

    Registry registry;
    Strategy strategy;
    Processes processes;
};

World* world = nullptr;

class MultiWorker : public testing::Test {
protected:
    [[nodiscard]] static std::uint32_t replicas() { return world->strategy.topology().world_replicas; }
    [[nodiscard]] static std::uint32_t global(std::uint32_t local) {
        return world->strategy.topology().first_replica + local;
    }
    static void on_replicas(const std::function<void(std::uint32_t local)>& body) {
        test::on_threads(world->strategy.topology().local_replicas, body);
    }
};

TEST_F(MultiWorker, has_the_sums_of_a_fixed_tree) {
    for (const std::size_t count : {3UL, 5003UL, 100001UL}) {  // small ranges are sent whole, others in slices
        const auto floats = test::random_values<float>(replicas(), count);
        const auto doubles = test::random_values<double>(replicas(), count);
        auto summed = floats;
        auto meant = doubles;
        auto largest = floats;
        on_replicas([&](std::uint32_t i) {
            const std::uint32_t own = global(i);
            world->strategy.start(test::range_of(summed[own], i, SLUICE_COLLECTIVE_SUM, "sum"));
            world->strategy.start(test::range_of(meant[own], i, SLUICE_COLLECTIVE_MEAN, "mean"));
            world->strategy.start(test::range_of(largest[own], i, SLUICE_COLLECTIVE_MAX, "max"));
            world->strategy.finish(i, kTimeout);
        });
        for (std::uint32_t i = 0; i < world->strategy.topology().local_replicas; ++i) {
            for (std::size_t e = 0; e < count; ++e) {
                ASSERT_EQ(summed[global(i)][e], test::tree_sum(floats, e, 0, replicas())) << e;
                ASSERT_EQ(meant[global(i)][e], test::tree_sum(doubles, e, 0, replicas()) * (1.0 / replicas())) << e;
                ASSERT_EQ(largest[global(i)][e],
                          (*std::ranges::max_element(floats, {}, [&](const auto& range) { return range[e]; }))[e]);
            }
        }
    }
}

TEST_F(MultiWorker, scatters_and_gathers_slices) {
    const std::size_t slice = 1000;
    const auto values = test::random_values<float>(replicas(), slice * replicas());
    auto scattered = values;
    auto gathered = values;
    on_replicas([&](std::uint32_t i) {
        world->strategy.start(
            test::range_of(scattered[global(i)], i, SLUICE_COLLECTIVE_REDUCE_SCATTER, "reduce_scatter"));
        world->strategy.start(test::range_of(gathered[global(i)], i, SLUICE_COLLECTIVE_ALL_GATHER, "all_gather"));
        world->strategy.finish(i, kTimeout);
    });
    for (std::uint32_t i = 0; i < world->strategy.topology().local_replicas; ++i) {
        for (std::size_t e = 0; e < slice; ++e) {
            const std::size_t own = global(i) * slice + e;
            ASSERT_EQ(scattered[global(i)][own], test::tree_sum(values, own, 0, replicas()));
        }
        for (std::size_t e = 0; e < slice * replicas(); ++e) {
            ASSERT_EQ(gathered[global(i)][e], values[e / slice][e]);
        }
    }
}

TEST_F(MultiWorker, takes_many_collectives_before_anybody_waits) {
    constexpr std::size_t kCollectives = 100;
    std::vector<std::string> names;
    for (std::size_t c = 0; c < kCollectives; ++c) {
        names.push_back("range " + std::to_string(c));
    }
    for (int step = 0; step < 3; ++step) {
        on_replicas([&](std::uint32_t i) {
            std::vector<std::vector<double>> values(kCollectives,
                                                    std::vector<double>(4097, static_cast<double>(global(i) + 1)));
            for (std::size_t c = 0; c < kCollectives; ++c) {
                world->strategy.start(test::range_of(values[c], i, SLUICE_COLLECTIVE_SUM, names[c]));
            }
            world->strategy.finish(i, kTimeout);
            const double sum = replicas() * (replicas() + 1) / 2.0;
            for (const std::vector<double>& range : values) {
                ASSERT_EQ(std::ranges::count(range, sum), 4097);
            }
        });
    }
}

// The replicas of a process may also start a round at the same moment.
TEST_F(MultiWorker, adds_up_each_of_many_rounds_once) {
    constexpr int kRounds = 3000;
    std::atomic<int> wrong = 0;
    on_replicas([&](std::uint32_t i) {
        for (int round = 0; round < kRounds; ++round) {
            std::vector<float> one(1, 1.0F);
            world->strategy.start(test::range_of(one, i, SLUICE_COLLECTIVE_SUM, "ones"));
            world->strategy.finish(i, kTimeout);
            wrong += one.front() == static_cast<float>(replicas()) ? 0 : 1;
        }
    });
    EXPECT_EQ(wrong, 0);
}

// Values are rounded when they are sent, but sums are not rounded before. All replicas get the same bits.
TEST_F(MultiWorker, narrows_what_travels) {
    if (world->processes.count() == 1) {
        GTEST_SKIP() << "a single process sends nothing";
    }
    const std::size_t count = 20000;
    auto values = test::random_values<float>(replicas(), count);
    const auto exact = values;
    on_replicas([&](std::uint32_t i) {
        sluice_collective range = test::range_of(values[global(i)], i, SLUICE_COLLECTIVE_SUM, "narrow");
        range.wire = kBfloat16;
        world->strategy.start(range);
        world->strategy.finish(i, kTimeout);
    });
    const std::vector<float>& own = values[global(0)];
    std::size_t different = 0;
    for (std::size_t e = 0; e < count; ++e) {
        const float sum = test::tree_sum(exact, e, 0, replicas());
        double magnitude = 0.0;
        for (const auto& range : exact) {
            magnitude += std::abs(range[e]);
        }
        ASSERT_NEAR(own[e], sum, magnitude / 128.0) << e;
        different += own[e] != sum ? 1 : 0;
        const auto bits = std::bit_cast<std::uint32_t>(own[e]);
        ASSERT_EQ(bits & 0xFFFFU, 0U) << e;
    }
    EXPECT_GT(different, count / 2);
    for (const std::uint64_t hash : world->processes.gather(
             std::hash<std::string_view>{}({reinterpret_cast<const char*>(own.data()), count * sizeof(float)}), "hash",
             kTimeout)) {
        EXPECT_EQ(hash,
                  std::hash<std::string_view>{}({reinterpret_cast<const char*>(own.data()), count * sizeof(float)}));
    }
}

TEST_F(MultiWorker, processes_tell_each_other) {
    const Processes& processes = world->processes;
    const std::string own(processes.number() * 1000, 'a');
    const std::vector<std::string> texts = processes.gather_texts(own, "texts", kTimeout);
    ASSERT_EQ(texts.size(), processes.count());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        EXPECT_EQ(texts[i], std::string(i * 1000, 'a'));
    }
    EXPECT_EQ(processes.from_first(processes.is_first() ? "first" : "other", "first", kTimeout), "first");
    const auto numbers = processes.gather(processes.number(), "numbers", kTimeout);
    for (std::uint32_t i = 0; i < numbers.size(); ++i) {
        EXPECT_EQ(numbers[i], i);
    }
}

// The fault breaks the link between the processes.
TEST_F(MultiWorker, names_who_is_out_of_step_or_does_not_come) {
    const Processes& processes = world->processes;
    const char* const fault = std::getenv("SLUICE_TEST_FAULT");
    if (fault == nullptr) {
        GTEST_SKIP() << "SLUICE_TEST_FAULT names no fault";
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(500));  // others may still run the test before
    const std::string mode = fault;
    const bool is_odd = processes.number() + 1 == processes.count();
    std::string message;
    on_replicas([&](std::uint32_t i) {
        try {
            std::vector<float> values(is_odd && mode == "other" ? 7 : 8, 1.0F);
            const std::string name = is_odd && mode == "other" ? "gradients 9" : "gradients 1";
            if (is_odd && mode == "gives_up") {
                world->strategy.abort("its disk is full");
            }
            if (!(is_odd && mode == "late")) {
                world->strategy.start(test::range_of(values, i, SLUICE_COLLECTIVE_SUM, name));
                world->strategy.finish(i, 1.0);
            } else {
                std::this_thread::sleep_for(std::chrono::seconds(3));
                world->strategy.start(test::range_of(values, i, SLUICE_COLLECTIVE_SUM, name));
            }
        } catch (const Error& error) {
            EXPECT_EQ(error.exit(), Exit::replica_lost);
            if (i == 0) {
                message = error.what();
            }
        }
    });
    const std::string last = "process " + std::to_string(processes.count() - 1) + " on ";
    const auto expect_part = [&](const std::string& part) {
        EXPECT_NE(message.find(part), std::string::npos) << message;
    };
    if (mode == "other") {
        expect_part("out of step: it started 'gradients ");
        expect_part("'gradients 9' (28 bytes)");
        expect_part("'gradients 1' (32 bytes)");
    } else if (mode == "late") {
        expect_part("'gradients 1' (8 elements) within 1 s");
        expect_part(last);
        EXPECT_EQ(message.find("the others waited"), std::string::npos) << message;  // the reason names the collective
    } else if (is_odd) {
        expect_part("its disk is full");
    } else {
        expect_part(last);
        expect_part("has aborted: its disk is full");
    }
}

}  // namespace
}  // namespace sluice::registry

int main(int count, char** values) {
    testing::InitGoogleTest(&count, values);
    const char* const replicas = std::getenv("SLUICE_TEST_REPLICAS");
    sluice::registry::World shared(replicas == nullptr ? 1 : std::atoi(replicas));
    sluice::registry::world = &shared;
    return RUN_ALL_TESTS();
}
