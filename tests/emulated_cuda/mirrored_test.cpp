// Tests of the strategy `mirrored` on GPUs: what each replica gets from collectives, captured or not, and the errors if
// a replica is lost. They run on emulated GPUs, and on those of the machine if it has enough.
#include <latch>

#include "mirrored_test.hpp"

namespace sluice::test {
namespace {

using registry::Block;

// Returns the elements of a replica. They are whole numbers, whose sums are the same in any order.
template <class T>
std::vector<T> values_of(std::uint32_t replica, std::size_t count) {
    std::vector<T> values(count);
    for (std::size_t e = 0; e < count; ++e) {
        values[e] = static_cast<T>((replica + 1) * (e % 101) + replica);
    }
    return values;
}

template <class T>
T sum_of(std::uint32_t replicas, std::size_t count, std::size_t element) {
    T sum = 0;
    for (std::uint32_t i = 0; i < replicas; ++i) {
        sum += values_of<T>(i, count)[element];
    }
    return sum;
}

// These tests must not abort a communicator.
class Exchanging : public GpuMirrored {
protected:
    void SetUp() override {
        GpuMirrored::SetUp();
        setenv("SLUICE_EMULATED_CUDA_ABORTS", "0", 1);
    }
    void TearDown() override {
        GpuMirrored::TearDown();
        unsetenv("SLUICE_EMULATED_CUDA_ABORTS");
    }

    // Runs twice, because the replicas first connect in the first exchange.
    static void expect_all_kinds(std::uint32_t replicas, const std::string& name = "mirrored") {
        const registry::Strategy strategy = open(replicas, name);
        EXPECT_EQ(strategy.topology().local_replicas, replicas);
        constexpr std::size_t kSlice = 1003;
        const std::size_t count = kSlice * replicas;
        each(replicas, [&](const Replica& own) {
            for (int turn = 0; turn < 2; ++turn) {
                const auto values = values_of<float>(own.local, count);
                const Block summed = own.upload(values);
                const Block largest = own.upload(values);
                const Block scattered = own.upload(values);
                const Block gathered = own.upload(values);
                const Block meant = own.upload(values_of<double>(own.local, 3));
                own.start(strategy, summed, SLUICE_COLLECTIVE_SUM, "summed");
                own.start(strategy, meant, SLUICE_COLLECTIVE_MEAN, "meant", kFloat64);
                own.start(strategy, largest, SLUICE_COLLECTIVE_MAX, "largest");
                own.start(strategy, scattered, SLUICE_COLLECTIVE_REDUCE_SCATTER, "scattered");
                own.start(strategy, gathered, SLUICE_COLLECTIVE_ALL_GATHER, "gathered");
                strategy.finish(own.local, 30.0);
                const auto sums = own.download<float>(summed);
                const auto most = own.download<float>(largest);
                const auto slice = own.download<float>(scattered);
                const auto slices = own.download<float>(gathered);
                for (std::size_t e = 0; e < count; ++e) {
                    ASSERT_EQ(sums[e], sum_of<float>(replicas, count, e)) << e;
                    ASSERT_EQ(most[e], values_of<float>(replicas - 1, count)[e]) << e;
                    ASSERT_EQ(slices[e], values_of<float>(static_cast<std::uint32_t>(e / kSlice), count)[e]) << e;
                }
                for (std::size_t e = own.local * kSlice; e < (own.local + 1) * kSlice; ++e) {
                    ASSERT_EQ(slice[e], sum_of<float>(replicas, count, e)) << e;
                }
                const auto means = own.download<double>(meant);
                for (std::size_t e = 0; e < means.size(); ++e) {
                    ASSERT_DOUBLE_EQ(means[e], sum_of<double>(replicas, means.size(), e) / replicas);
                }
            }
        });
    }

    // Runs one exchange directly, captures another, and replays that three times.
    static void expect_recorded(std::uint32_t replicas) {
        const registry::Strategy strategy = open(replicas);
        each(replicas, [&](const Replica& own) {
            const Block summed = own.upload(std::vector<float>(64, 1.0F));
            const Block report = own.upload(std::vector<double>(2, 0.5));
            const auto exchange = [&] {
                own.start(strategy, summed, SLUICE_COLLECTIVE_SUM, "gradients");
                own.start(strategy, report, SLUICE_COLLECTIVE_SUM, "losses", kFloat64);
                strategy.finish(own.local, 30.0);
            };
            exchange();
            own.gpu->wait(own.stream.handle());
            registry::GraphCapture capture(own.gpu, own.stream.handle());
            exchange();
            const registry::Graph graph = capture.end();
            float factor = static_cast<float>(replicas);
            for (int turn = 0; turn < 3; ++turn) {
                factor *= static_cast<float>(replicas);
                strategy.finish(own.local, 30.0);
                graph.launch(own.stream.handle());
                EXPECT_EQ(own.download<float>(summed), std::vector<float>(64, factor));
                EXPECT_EQ(own.download<double>(report), std::vector<double>(2, 0.5 * factor));
            }
        });
    }
};

// The plugin also loads without a GPU.
TEST_P(Exchanging, takes_as_many_replicas_as_configured) {
    try {
        EXPECT_EQ(open(2).topology().world_replicas, 2U);
    } catch (const Error& error) {
        if (error.exit() == Exit::config) {
            GTEST_SKIP() << error.what();
        }
        throw;
    }
}

TEST_P(Exchanging, of_one_gives_what_was_there) {
    SKIP_WITHOUT_GPUS(1)
    expect_all_kinds(1);
    expect_recorded(1);
}

TEST_P(Exchanging, of_two_gives_sums_and_slices) {
    SKIP_WITHOUT_GPUS(2)
    expect_all_kinds(2);
}

TEST_P(Exchanging, of_three_gives_sums_and_slices) {
    SKIP_WITHOUT_GPUS(3)
    expect_all_kinds(3);
}

// Here the strategy for several processes has a world of one process that was started without a launcher.
TEST_P(Exchanging, by_multi_worker_gives_the_same) {
    SKIP_WITHOUT_GPUS(2)
    if (!has_multi_worker()) {
        GTEST_SKIP() << "built without MPI";
    }
    expect_all_kinds(1, "multi_worker");
    expect_all_kinds(2, "multi_worker");
}

TEST_P(Exchanging, of_two_can_be_recorded) {
    SKIP_WITHOUT_GPUS(2)
    expect_recorded(2);
}

TEST_P(Exchanging, cannot_be_recorded_before_replicas_have_met) {
    SKIP_WITHOUT_GPUS(1)
    const registry::Strategy strategy = open(1);
    each(1, [&](const Replica& own) {
        const Block block = own.upload(std::vector<float>(8));
        const registry::GraphCapture capture(own.gpu, own.stream.handle());
        try {
            own.start(strategy, block, SLUICE_COLLECTIVE_SUM, "gradients");
            ADD_FAILURE() << "nothing was thrown";
        } catch (const Error& error) {
            expect_part(error.what(), "the first exchange of a replica cannot be captured in a graph");
        }
    });
}

// The replica throws before and after it has started a collective. The other one has captured its work, which then does
// not run.
TEST_P(Exchanging, goes_on_after_a_replica_threw_while_it_recorded) {
    SKIP_WITHOUT_GPUS(2)
    const registry::Strategy strategy = open(2);
    each(2, [&](const Replica& own) {
        const Block block = own.upload(std::vector<float>(64, 1.0F));
        const auto start = [&] { own.start(strategy, block, SLUICE_COLLECTIVE_SUM, "gradients"); };
        float sum = 2.0F;
        start();
        strategy.finish(own.local, 30.0);
        own.gpu->wait(own.stream.handle());
        for (const bool has_started : {false, true}) {
            try {
                registry::GraphCapture capture(own.gpu, own.stream.handle());
                if (own.local == 0 || has_started) {
                    start();
                }
                if (own.local == 1) {
                    throw std::runtime_error("a kernel that cannot be recorded");
                }
                strategy.finish(own.local, 30.0);
                static_cast<void>(capture.end());
            } catch (const std::runtime_error& error) {
                EXPECT_EQ(own.local, 1U) << error.what();
            }
            start();
            strategy.finish(own.local, 30.0);
            sum *= 2.0F;
            EXPECT_EQ(own.download<float>(block), std::vector<float>(64, sum));
        }
    });
}

class Lost : public GpuMirrored {};

// The first collective of a kind waits until the other replica has started it, too, even while it is captured.
TEST_P(Lost, nobody_waits_for_one_that_threw_while_it_recorded) {
    SKIP_WITHOUT_GPUS(2)
    const registry::Strategy strategy = open(2);
    std::latch has_begun{1};
    each(2, [&](const Replica& own) {
        const Block block = own.upload(std::vector<float>(8));
        own.start(strategy, block, SLUICE_COLLECTIVE_SUM, "gradients");
        strategy.finish(own.local, 30.0);
        own.gpu->wait(own.stream.handle());
        if (own.local == 1) {
            has_begun.wait();
            std::this_thread::sleep_for(std::chrono::milliseconds(50));  // lets the other begin to wait
            strategy.abort("replica 1 has failed: no memory");
            return;
        }
        const registry::GraphCapture capture(own.gpu, own.stream.handle());
        has_begun.count_down();
        expect_part(lost_error([&] {
                        own.start(strategy, block, SLUICE_COLLECTIVE_ALL_GATHER, "gathered");
                        strategy.finish(0, 0.0);
                    }),
                    "replica 1 has failed: no memory");
    });
}

TEST_P(Lost, who_does_not_meet_the_others_is_named) {
    SKIP_WITHOUT_GPUS(2)
    const registry::Strategy strategy = open(2);
    each(1, [&](const Replica& own) {
        const Block block = own.upload(std::vector<float>(8));
        own.start(strategy, block, SLUICE_COLLECTIVE_SUM, "gradients 1 of 7");
        expect_part(lost_error([&] { strategy.finish(0, 0.5); }),
                    "replica 1 did not join 'gradients 1 of 7' (8 elements) within 0.5 s");
    });
}

// After the first exchange, a replica waits for the others on its GPU.
TEST_P(Lost, who_does_not_come_later_is_named) {
    SKIP_WITHOUT_GPUS(2)
    const registry::Strategy strategy = open(2);
    each(2, [&](const Replica& own) {
        const Block block = own.upload(std::vector<float>(8));
        own.start(strategy, block, SLUICE_COLLECTIVE_SUM, "gradients");
        strategy.finish(own.local, 30.0);
        own.gpu->wait(own.stream.handle());
        if (own.local == 0) {
            own.start(strategy, block, SLUICE_COLLECTIVE_SUM, "gradients");
            own.start(strategy, block, SLUICE_COLLECTIVE_SUM, "losses");
            strategy.finish(0, 0.5);
            own.gpu->wait(own.stream.handle());
            expect_part(lost_error([&] { strategy.finish(0, 0.5); }),
                        "replica 1 did not join 'gradients' (8 elements) within 0.5 s");
        }
    });
}

TEST_P(Lost, who_does_not_come_to_what_is_recorded_is_named) {
    SKIP_WITHOUT_GPUS(2)
    const registry::Strategy strategy = open(2);
    each(2, [&](const Replica& own) {
        const Block block = own.upload(std::vector<float>(8));
        const auto exchange = [&] {
            for (const char* const name : {"statistics", "gradients"}) {
                own.start(strategy, block, SLUICE_COLLECTIVE_SUM, name);
                strategy.finish(own.local, 30.0);
            }
        };
        exchange();
        own.gpu->wait(own.stream.handle());
        registry::GraphCapture capture(own.gpu, own.stream.handle());
        exchange();
        const registry::Graph graph = capture.end();
        graph.launch(own.stream.handle());
        own.gpu->wait(own.stream.handle());
        if (own.local == 0) {
            strategy.finish(0, 0.5);
            graph.launch(own.stream.handle());
            own.gpu->wait(own.stream.handle());
            expect_part(lost_error([&] { strategy.finish(0, 0.5); }),
                        "replica 1 did not join 'statistics' (8 elements) within 0.5 s");
        }
    });
}

TEST_P(Lost, who_is_out_of_step_is_named) {
    SKIP_WITHOUT_GPUS(2)
    const registry::Strategy strategy = open(2);
    std::string first;
    std::string second;
    each(1, [&](const Replica& own) {
        const Block block = own.upload(std::vector<float>(8));
        own.start(strategy, block, SLUICE_COLLECTIVE_SUM, "gradients");
        Replica late(own.gpu, 1);
        const Block larger = late.upload(std::vector<float>(9));
        second = lost_error([&] { late.start(strategy, larger, SLUICE_COLLECTIVE_SUM, "gradients"); });
        first = lost_error([&] { strategy.finish(0, 10.0); });
    });
    for (const std::string& text : {first, second}) {
        expect_part(text,
                    "replica 1 is out of step: it started 'gradients' (9 elements), but replica 0 started 'gradients' "
                    "(8 elements)");
    }
}

// The first replica is several exchanges ahead.
TEST_P(Lost, a_replica_that_is_out_of_step_and_late_is_named) {
    SKIP_WITHOUT_GPUS(2)
    const registry::Strategy strategy = open(2);
    std::latch is_ahead{1};
    each(2, [&](const Replica& own) {
        const Block block = own.upload(std::vector<float>(8));
        const auto exchange = [&](const char* name) {
            own.start(strategy, block, SLUICE_COLLECTIVE_SUM, name);
            strategy.finish(own.local, 30.0);
        };
        exchange("first");
        if (own.local == 0) {
            exchange("a");
            exchange("b");
            exchange("c");
            is_ahead.count_down();
            own.gpu->wait(own.stream.handle());  // until it is aborted
        } else {
            is_ahead.wait();
        }
        expect_part(lost_error([&] { exchange("b"); }),
                    "replica 1 is out of step: it started 'b' (8 elements), but replica 0 started 'a' (8 elements)");
    });
}

// There are so many different collectives that the strategy does not distinguish the last ones. One replica starts
// nearly all of them before the other does.
TEST_P(Lost, who_does_not_come_to_one_of_very_many_is_named) {
    SKIP_WITHOUT_GPUS(2)
    constexpr int kMany = 20000;
    const registry::Strategy strategy = open(2);
    std::latch is_ahead{1};
    each(2, [&](const Replica& own) {
        const Block block = own.upload(std::vector<float>(1));
        const auto bring = [&](int number) {
            own.start(strategy, block, SLUICE_COLLECTIVE_MAX, "range " + std::to_string(number));
        };
        bring(0);
        strategy.finish(own.local, 30.0);
        if (own.local == 1) {
            is_ahead.wait();
        }
        for (int i = 1; i < kMany; ++i) {
            bring(i);
        }
        strategy.finish(own.local, 30.0);
        if (own.local == 0) {
            is_ahead.count_down();
        }
        own.gpu->wait(own.stream.handle());
        if (own.local == 0) {
            bring(kMany);
            strategy.finish(0, 0.5);
            own.gpu->wait(own.stream.handle());
            expect_part(lost_error([&] { strategy.finish(0, 0.5); }),
                        "replica 1 did not join one of the collectives after 'range 16381' (1 elements) within 0.5 s");
        }
    });
}

TEST_P(Lost, nobody_waits_after_an_abort) {
    SKIP_WITHOUT_GPUS(2)
    const registry::Strategy strategy = open(2);
    each(1, [&](const Replica& own) {
        const Block block = own.upload(std::vector<float>(8));
        own.start(strategy, block, SLUICE_COLLECTIVE_SUM, "gradients");
        const std::jthread aborts([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));  // lets the other begin to wait
            strategy.abort("replica 1 has failed: no memory");
        });
        expect_part(lost_error([&] { strategy.finish(0, 0.0); }), "replica 1 has failed: no memory");
        expect_part(lost_error([&] { own.start(strategy, block, SLUICE_COLLECTIVE_SUM, "gradients"); }), "no memory");
    });
}

INSTANTIATE_TEST_SUITE_P(Emulated, Exchanging, testing::Values("emulated_cuda"));
INSTANTIATE_TEST_SUITE_P(Emulated, Lost, testing::Values("emulated_cuda"));
INSTANTIATE_TEST_SUITE_P(Real, Exchanging, testing::Values("cuda"));
INSTANTIATE_TEST_SUITE_P(Real, Lost, testing::Values("cuda"));

}  // namespace
}  // namespace sluice::test
