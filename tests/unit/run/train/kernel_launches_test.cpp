// The launch of each kernel that a device reports.
#include "run/train/kernel_launches.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sluice::test {
namespace {

constexpr double kMicrosecond = 1e-6;

// Times are microseconds. A step begins each 1000 us. The device runs each kernel 100 us after its call.
class KernelLaunches : public testing::Test {
protected:
    // The host enqueues an operation in [begin, end).
    void launch(const profile::Operation& operation, int begin, int end) {
        launches_.push_back({kMicrosecond * begin, kMicrosecond * end, &operation});
    }
    void kernel(const std::string& name, int called, int lasted, std::uint32_t kind = SLUICE_ACTIVITY_KERNEL) {
        const std::int64_t begin =
            std::max<std::int64_t>(1000 * (called + 100), records_.empty() ? 0 : records_.back().end_ns);
        records_.push_back({.begin_ns = begin,
                            .end_ns = begin + 1000 * lasted,
                            .launch_ns = 1000 * called,
                            .bytes = 0,
                            .correlation = static_cast<std::uint64_t>(called),
                            .kind = kind,
                            .stream = 7,
                            .name = name});
    }
    // The first step runs launch by launch, the others are replayed by one call.
    void three_steps() {
        launch(forward_, 1000, 1020);
        launch(backward_, 1020, 1040);
        kernel("clock", 990, 1);
        kernel("pad", 1001, 10);
        kernel("multiply", 1010, 30);
        kernel("loss", 1050, 5);
        kernel("multiply", 1021, 40);
        for (const int call : {2000, 3000}) {
            kernel("clock", call, 1);
            kernel("pad", call, 12);
            kernel("multiply", call, 28);
            kernel("loss", call, 5);
            kernel("multiply", call, 44);
        }
    }
    [[nodiscard]] run::KernelLaunches find() const {
        return run::find_launches(records_, launches_, {{0.00099, 1}, {0.00199, 2}, {0.00299, 3}});
    }
    [[nodiscard]] std::vector<std::string> paths() const {
        std::vector<std::string> paths;
        const run::KernelLaunches found = find();
        for (const profile::Operation* const operation : found.operations) {
            paths.push_back(operation == nullptr ? "" : operation->path);
        }
        return paths;
    }

    std::vector<registry::Activity> records_;
    const profile::Operation forward_{
        .path = "conv", .flop = 800.0, .done_flop = 400.0, .bytes = 80.0, .kind = SLUICE_SPAN_FORWARD};
    const profile::Operation backward_{.path = "back", .flop = 100.0, .kind = SLUICE_SPAN_BACKWARD};

private:
    std::vector<run::StreamSpans::Launch> launches_;
};

TEST_F(KernelLaunches, are_found_by_the_call_and_in_replays_by_the_order) {
    three_steps();
    const std::vector<std::string> step{"", "conv", "conv", "", "back"};
    std::vector<std::string> all;
    for (int i = 0; i < 3; ++i) {
        all.insert(all.end(), step.begin(), step.end());
    }
    EXPECT_EQ(paths(), all);
}

TEST_F(KernelLaunches, share_their_work_by_time) {
    three_steps();
    const run::KernelLaunches found = find();
    const profile::Operation& pad = *found.operations[1];
    const profile::Operation& multiply = *found.operations[2];
    EXPECT_NEAR(pad.share, 0.25, 1e-9);
    EXPECT_NEAR(pad.flop + multiply.flop, 800.0, 1e-9);
    EXPECT_NEAR(multiply.done_flop, 300.0, 1e-9);
    EXPECT_NEAR(multiply.bytes, 60.0, 1e-9);
    EXPECT_EQ(found.operations[6], &pad);
    EXPECT_EQ(found.operations[4], &backward_);  // alone in its launch
    EXPECT_EQ(found.parts->size(), 2U);
}

TEST_F(KernelLaunches, are_found_around_a_kernel_that_only_the_graph_has) {
    three_steps();
    for (int i = 0; i < 2; ++i) {
        records_.insert(records_.begin() + 7, records_[7]);
        records_[7].name = "other";
    }
    EXPECT_EQ(paths(), (std::vector<std::string>{"", "conv", "conv", "", "back",          //
                                                 "", "conv", "", "", "conv", "", "back",  //
                                                 "", "conv", "conv", "", "back"}));
}

TEST_F(KernelLaunches, are_found_around_a_kernel_that_the_graph_lacks) {
    three_steps();
    records_.erase(records_.begin() + 7);
    EXPECT_EQ(paths(), (std::vector<std::string>{"", "conv", "conv", "", "back",  //
                                                 "", "conv", "", "back",          //
                                                 "", "conv", "conv", "", "back"}));
}

// CUDA replays some fills as kernels.
TEST_F(KernelLaunches, are_found_if_a_graph_replays_a_fill_as_a_kernel) {
    launch(forward_, 1000, 1020);
    launch(backward_, 1020, 1040);
    kernel("Memset", 1001, 1, SLUICE_ACTIVITY_FILL);
    kernel("multiply", 1002, 30);
    kernel("Memset", 1021, 1, SLUICE_ACTIVITY_FILL);
    kernel("multiply", 1022, 40);
    for (const char* const name : {"Memset", "multiply", "memset32", "multiply"}) {
        kernel(name, 2000, 1);
    }
    EXPECT_EQ(paths(), (std::vector<std::string>{"conv", "conv", "back", "back", "conv", "conv", "back", "back"}));
}

// The second step has a micro-batch more, and the graph of the optimizer.
TEST_F(KernelLaunches, are_found_if_steps_have_different_numbers_of_micro_batches) {
    const profile::Operation optimizer{.path = "optimizer", .kind = SLUICE_SPAN_OPTIMIZER};
    launch(forward_, 1000, 1020);
    launch(backward_, 1020, 1040);
    launch(optimizer, 1040, 1060);
    kernel("multiply", 1001, 10);
    kernel("gradient", 1021, 10);
    kernel("decide", 1039, 10);  // by its time it belongs to backward
    kernel("adam", 1041, 10);
    for (const int call : {2000, 2010}) {
        kernel("multiply", call, 10);
        kernel("gradient", call, 10);
    }
    kernel("decide", 2020, 10);
    kernel("adam", 2020, 10);
    EXPECT_EQ(paths(), (std::vector<std::string>{"conv", "back", "back", "optimizer", "conv", "back", "conv", "back",
                                                 "back", "optimizer"}));
}

// The graph of the optimizer begins with the same kernel as that of a micro-batch, of which the second step has three.
TEST_F(KernelLaunches, are_found_if_two_graphs_begin_alike) {
    const profile::Operation optimizer{.path = "optimizer", .kind = SLUICE_SPAN_OPTIMIZER};
    launch(forward_, 1000, 1020);
    launch(backward_, 1020, 1040);
    launch(optimizer, 1040, 1060);
    const std::vector<std::string> micro_batch{"fill", "conv1", "conv2", "back1", "back2"};
    for (std::size_t i = 0; i < micro_batch.size(); ++i) {
        kernel(micro_batch[i], (i < 3 ? 1001 : 1021) + static_cast<int>(i), 10);
    }
    kernel("fill", 1041, 10);
    kernel("sgd", 1042, 10);
    for (const int call : {2000, 2010, 2020}) {
        for (const std::string& name : micro_batch) {
            kernel(name, call, 10);
        }
    }
    kernel("fill", 2030, 10);
    kernel("sgd", 2030, 10);
    std::vector<std::string> expected;
    for (const std::size_t micro_batches : {1, 3}) {
        for (std::size_t i = 0; i < micro_batches; ++i) {
            expected.insert(expected.end(), {"conv", "conv", "conv", "back", "back"});
        }
        expected.insert(expected.end(), {"optimizer", "optimizer"});
    }
    EXPECT_EQ(paths(), expected);
}

TEST_F(KernelLaunches, are_unknown_without_a_step_that_ran_launch_by_launch) {
    for (const int call : {1000, 2000}) {
        kernel("multiply", call, 10);
    }
    EXPECT_EQ(paths(), (std::vector<std::string>{"", ""}));
}

TEST_F(KernelLaunches, enqueue_fills_and_copies_but_no_collectives_and_transfers) {
    launch(forward_, 1000, 1020);
    kernel("Memset", 1001, 1, SLUICE_ACTIVITY_FILL);
    kernel("Memcpy HtoD", 1002, 1, SLUICE_ACTIVITY_UPLOAD);
    kernel("ncclDevKernel_AllReduce", 1003, 1);
    kernel("multiply", 1004, 1);
    EXPECT_EQ(paths(), (std::vector<std::string>{"conv", "", "", "conv"}));
}

}  // namespace
}  // namespace sluice::test
