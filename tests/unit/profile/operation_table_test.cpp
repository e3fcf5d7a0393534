// Times and rates of launches, next to the limits of the machine.
#include "profile/operation_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/profile/made_window.hpp"

namespace sluice::profile {
namespace {

OperationTable table_of(const Window& window, TableBy by) { return operation_table(window, step_times(window), by); }

TableRow row_of(const OperationTable& table, const std::string& name) {
    const auto found = std::ranges::find(table.rows, name, &TableRow::name);
    EXPECT_NE(found, table.rows.end()) << name;
    return found == table.rows.end() ? TableRow{} : *found;
}

TEST(OperationTable, has_a_row_for_each_operation) {
    const OperationTable table = table_of(cpu_window().window(), TableBy::operation);
    EXPECT_EQ(table.thread, "loop");
    ASSERT_EQ(table.rows.size(), 5U);
    EXPECT_EQ(table.rows.front().name, "backward net/conv2d");  // longest first
    const TableRow forward = row_of(table, "forward net/conv2d");
    EXPECT_NEAR(forward.count, 1.0, 1e-9);
    EXPECT_NEAR(forward.self, 20e-3, 1e-9);
    EXPECT_NEAR(forward.share, 0.2, 1e-9);
    EXPECT_NEAR(forward.flop_rate(), 5e9 / 20e-3, 1.0);
    EXPECT_NEAR(forward.byte_rate(), 1e8 / 20e-3, 1.0);
    EXPECT_NEAR(forward.of_limit(), 0.25, 1e-9);  // 5 ms of arithmetic, more than 1 ms of memory
    EXPECT_NEAR(forward.algorithm_speedup(), 2.0, 1e-9);
    EXPECT_EQ(forward.detail, "conv2d, reference, 8x64x64x32");
    EXPECT_NEAR(row_of(table, "forward net/relu").of_limit(), 6.0 / 7.0, 1e-9);
}

TEST(OperationTable, leaves_nested_launches_out_of_self) {
    const TableRow backward = row_of(table_of(cpu_window().window(), TableBy::operation), "backward net/conv2d");
    EXPECT_NEAR(backward.total, 27e-3, 1e-9);
    EXPECT_NEAR(backward.self, 22e-3, 1e-9);
    double self = 0.0;
    for (const TableRow& row : table_of(cpu_window().window(), TableBy::operation).rows) {
        self += row.self;
    }
    EXPECT_NEAR(self, 64e-3, 1e-9);
}

TEST(OperationTable, sums_by_layer_type_and_direction) {
    const Window window = cpu_window().window();
    EXPECT_NEAR(row_of(table_of(window, TableBy::layer), "net/conv2d").self, 42e-3, 1e-9);
    EXPECT_NEAR(row_of(table_of(window, TableBy::layer), "net/conv2d").count, 2.0, 1e-9);
    EXPECT_NEAR(row_of(table_of(window, TableBy::type), "relu").bytes, 1e9, 1.0);
    EXPECT_NEAR(row_of(table_of(window, TableBy::direction), "recompute").self, 5e-3, 1e-9);
    EXPECT_EQ(table_of(window, TableBy::direction).rows.size(), 4U);
}

TEST(OperationTable, shows_stages_with_the_work_of_their_launches) {
    const OperationTable table = table_of(cpu_window().window(), TableBy::stage);
    EXPECT_EQ(table.rows.front().name, "read");
    const TableRow backward = row_of(table, "backward");  // with the recompute
    EXPECT_NEAR(backward.self, 30e-3, 1e-9);
    EXPECT_NEAR(backward.done_flop, 1e10, 1.0);
    EXPECT_NEAR(backward.bytes, 6e8, 1.0);
    EXPECT_EQ(row_of(table, "output").bytes, 0.0);
}

TEST(OperationTable, warns_of_a_peak_that_an_operation_exceeds) {
    MadeWindow made = cpu_window();
    EXPECT_TRUE(peak_warnings(table_of(made.window(), TableBy::operation)).empty());
    made.raw().operations[1].bytes = 2.1e9;  // in 7 ms
    OperationTable table = table_of(made.window(), TableBy::operation);
    EXPECT_TRUE(table.bandwidth.is_wrong());
    EXPECT_EQ(table.bandwidth.measured, 1e11);
    EXPECT_NEAR(table.bandwidth.most, 3.0, 1e-9);
    EXPECT_FALSE(table.arithmetic.is_wrong());
    EXPECT_NEAR(row_of(table, "forward net/relu").of_limit(), 3.0, 1e-9);
    EXPECT_EQ(peak_warnings(table),
              (std::vector<std::string>{"the measured peak of memory is too low: 'forward net/relu' "
                                        "reached 300 % of it"}));
    made.raw().operations[1].bytes = 0.72e9;  // 103 % may be an error of the measurement
    EXPECT_TRUE(peak_warnings(table_of(made.window(), TableBy::operation)).empty());
}

TEST(OperationTable, takes_the_bandwidth_of_the_size) {
    MadeWindow made = cpu_window();
    made.raw().bandwidth = {{.bytes = 1'000'000, .read = 4e11}, {.bytes = 1'000'000'000, .read = 1e11}};
    made.raw().operations[1].bytes = 1.4e9;  // in 7 ms, by a cache
    OperationTable table = table_of(made.window(), TableBy::operation);
    EXPECT_NEAR(row_of(table, "forward net/relu").of_limit(), 0.5, 1e-9);
    made.raw().operations[1].share = 0.5;  // two kernels have more bytes together
    table = table_of(made.window(), TableBy::operation);
    EXPECT_NEAR(row_of(table, "forward net/relu").of_limit(), 2.0, 1e-9);
}

TEST(OperationTable, has_no_limit_without_a_measured_peak) {
    MadeWindow made = cpu_window();
    made.raw().peak_flop = made.raw().peak_bandwidth = 0.0;
    const OperationTable table = table_of(made.window(), TableBy::operation);
    EXPECT_EQ(row_of(table, "forward net/conv2d").limit, 0.0);
    EXPECT_FALSE(table.arithmetic.is_wrong());
}

TEST(OperationTable, counts_kernels_of_the_first_device) {
    MadeWindow made = stream_window();
    const std::uint32_t other = made.thread(SLUICE_THREAD_STREAM, "stream 9", 1);
    made.span(SLUICE_SPAN_FORWARD, other, 0, 90, {.operation = 0});
    const OperationTable table = table_of(made.window(), TableBy::operation);
    EXPECT_EQ(table.thread, "stream 7");
    EXPECT_NEAR(row_of(table, "forward net/conv2d").self, (9.5e-3 + 13.99998e-3 + 32e-3) / 2, 1e-9);
    EXPECT_NEAR(row_of(table, "forward net/conv2d").count, 1.5, 1e-9);
    // The loop is in its stage "forward" only to enqueue.
    EXPECT_EQ(row_of(table_of(made.window(), TableBy::stage), "forward").done_flop, 0.0);
}

// Two kernels share the work of a launch.
TEST(OperationTable, counts_launches_rather_than_kernels) {
    MadeWindow made;
    const std::uint32_t stream = made.thread(SLUICE_THREAD_STREAM, "stream 7", 0);
    const std::uint32_t pad = made.operation(SLUICE_SPAN_FORWARD, "net/conv2d", 2e9, 2e9, 2e6);
    const std::uint32_t multiply = made.operation(SLUICE_SPAN_FORWARD, "net/conv2d", 6e9, 6e9, 6e6);
    made.raw().operations[pad].share = 0.25;
    made.raw().operations[multiply].share = 0.75;
    made.step(1, 0, 10);
    made.span(SLUICE_SPAN_FORWARD, stream, 1, 2, {.operation = pad});
    made.span(SLUICE_SPAN_FORWARD, stream, 2, 5, {.operation = multiply});
    const OperationTable table = table_of(made.window(), TableBy::operation);
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_NEAR(table.rows[0].count, 1.0, 1e-9);
    EXPECT_NEAR(table.rows[0].self, 4e-3, 1e-9);
    EXPECT_NEAR(table.rows[0].flop_rate(), 2e12, 1.0);
}

TEST(OperationTable, counts_the_first_replica) {
    MadeWindow made;
    made.thread(SLUICE_THREAD_LOOP, "loop");
    const std::uint32_t first = made.thread(SLUICE_THREAD_COMPUTE, "replica 0");
    const std::uint32_t second = made.thread(SLUICE_THREAD_COMPUTE, "replica 1");
    const std::uint32_t conv = made.operation(SLUICE_SPAN_FORWARD, "net/conv2d", 1e9, 1e9, 1e6);
    made.step(1, 0, 10);
    made.stage("forward", 0, 10);
    made.span(SLUICE_SPAN_FORWARD, second, 0, 9, {.operation = conv});
    made.span(SLUICE_SPAN_FORWARD, first, 1, 9, {.operation = conv});
    const OperationTable table = table_of(made.window(), TableBy::operation);
    EXPECT_EQ(table.thread, "replica 0");
    EXPECT_NEAR(table.rows.at(0).self, 8e-3, 1e-9);
}

TEST(OperationTable, counts_launches_that_name_no_operation) {
    MadeWindow made;
    made.thread(SLUICE_THREAD_LOOP, "loop");
    made.step(1, 0, 10);
    made.span(SLUICE_SPAN_FORWARD, 0, 1, 3);
    made.span(SLUICE_SPAN_BACKWARD, 0, 3, 4);
    made.span(SLUICE_SPAN_FORWARD, 0, 5, 5);  // no time at all
    const OperationTable table = table_of(made.window(), TableBy::direction);
    EXPECT_NEAR(row_of(table, "forward").self, 2e-3, 1e-9);
    EXPECT_NEAR(row_of(table, "backward").self, 1e-3, 1e-9);
    EXPECT_TRUE(table_of(Window{}, TableBy::operation).rows.empty());
}

TEST(OperationTable, has_names) {
    EXPECT_EQ(table_names().size(), 5U);
    EXPECT_EQ(table_named("direction"), TableBy::direction);
    EXPECT_EQ(table_named("directions"), std::nullopt);
}

}  // namespace
}  // namespace sluice::profile
