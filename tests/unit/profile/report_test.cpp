// The texts of all tables.
#include "profile/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "unit/profile/made_window.hpp"

namespace sluice::profile {
namespace {

std::size_t widest_line(const std::string& text) {
    std::istringstream stream(text);
    std::size_t widest = 0;
    for (std::string line; std::getline(stream, line);) {
        const auto columns = std::ranges::count_if(line, [](unsigned char byte) { return (byte & 0xC0U) != 0x80U; });
        widest = std::max(widest, static_cast<std::size_t>(columns));
    }
    return widest;
}

void expect_all(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in:\n" << text;
    }
}

TEST(Report, of_a_run_without_a_window_has_its_memory) {
    RunMemory memory{.series = {{0.0, 1.0, 2.0}, {1048576.0, 3145728.0, 2097152.0}, {}}, .growth = {}, .predicted = {}};
    EXPECT_EQ(report_text(memory), "resident    1.0 MiB at begin, 2.0 MiB at end, 3.0 MiB at peak\n");
    memory.growth = Growth{1e5, 0.0, 1e9, 300.0};
    memory.predicted = PredictedMemory{2097152, "2.0 MiB: arena 2.0 MiB"};
    EXPECT_EQ(report_text(memory),
              "predicted   2.0 MiB: arena 2.0 MiB\n"
              "resident    1.0 MiB at begin, 2.0 MiB at end, 3.0 MiB at peak\n"
              "growth      resident memory: 360.0 MB per hour, in the last 5 min\n");
    const auto json = nlohmann::json::parse(report_json(memory));
    EXPECT_EQ(json.at("memory").at("points").at("resident_bytes").at("peak"), 3145728.0);
    EXPECT_EQ(json.at("memory").at("predicted_bytes"), 2097152);
    EXPECT_NEAR(json.at("growth").at("bytes_per_hour").get<double>(), 3.6e8, 1.0);
}

TEST(Report, shows_each_table) {
    WindowReport report = report_on(cpu_window().window(), TableBy::operation);
    report.others.push_back({1, 0.12, {"exchange", 1.0, 0.03}, {}});
    report.others.push_back({2, 0.0, {}, "torn"});
    report.growth = Growth{1e5, 1e4, 1e9, 300.0};
    report.predicted = PredictedMemory{107793613,
                                       "102.8 MiB: arena 98.6 MiB, parameters 1.0 MiB, gradients 1.0 MiB, optimizer "
                                       "states 2.0 MiB, running statistics 1.0 KiB"};
    const std::string text = report_text(report, 3);
    expect_all(text, {"steps 1 to 2, rank 0 of 1, a CPU",
                      "100.0 ms, mean of 2 steps; the window took 200.0 ms\n",
                      "costs 0.5 % of a step, 0.5 ms, give or take 0.01 %, by 20 steps",
                      "rank 1      120.0 ms a step; longest wait: exchange, 30.00 ms a step",
                      "rank 2      torn",
                      "preprocess",
                      "beside: input, reading",
                      "launches by operation",
                      "backward net/conv2d",
                      "2.00x",
                      "2 more",
                      "launches of loop",
                      "1000.0 GFLOP/s, measured",
                      "idle, ms per step",
                      "36.0 %",
                      "critical path, 200.0 ms of steps of 200.0 ms",
                      "compute 49.0 %, input 40.0 %",
                      "input: transform decode",
                      "most in use 20.0 MiB, at forward net/relu",
                      "\npredicted   102.8 MiB: arena 98.6 MiB, parameters 1.0 MiB, gradients 1.0 MiB,\n"
                      "            optimizer states 2.0 MiB, running statistics 1.0 KiB\narena       20.0 MiB",
                      "resident    953.7 MiB at begin",
                      "resident memory: 360.0 MB per hour, 10.00 MB per 1000 steps, in the last 5 min"});
    EXPECT_LE(widest_line(text), 100U);
    EXPECT_EQ(report_text(report_on(cpu_window().window(), TableBy::stage), 3).find("launches by"), std::string::npos);
}

TEST(Report, shows_the_time_between_steps) {
    EXPECT_EQ(report_text(report_on(cpu_window().window(), TableBy::stage), 3).find("between"), std::string::npos);
    MadeWindow made = cpu_window();
    made.stage("storage", 200, 3000);
    made.stage("output", 3000, 4000);
    made.raw().seconds = 4.0;
    const WindowReport report = report_on(made.window(), TableBy::stage);
    expect_all(report_text(report, 3), {"the window took 4000.0 ms\n",
                                        "  between steps   3800.0 ms in the window: storage 2800.0, output 1000.0\n"});
    const nlohmann::json json = nlohmann::json::parse(report_json(report)).at("between_steps");
    EXPECT_NEAR(json.at("seconds").get<double>(), 3.8, 1e-9);
    EXPECT_NEAR(json.at("stages").at("output").get<double>(), 1.0, 1e-9);
}

TEST(Report, leaves_out_rows_of_nothing) {
    MadeWindow made = cpu_window();
    made.stage("exchange", 0, 0.01);
    made.raw().last_step = made.raw().first_step;
    made.raw().device = std::string(70, 'd');
    made.raw().cost = std::nullopt;
    for (Operation& operation : made.raw().operations) {
        operation.bytes = 1e5;
    }
    const std::string text = report_text(report_on(made.window(), TableBy::operation), 99);
    expect_all(text, {"window      step 1, rank 0 of 1, " + std::string(64, 'd') + "...\n", "its cost is not known",
                      "0.00500"});
    EXPECT_EQ(text.find("exchange 0.0"), std::string::npos) << text;
    EXPECT_EQ(text.find("  exchange  "), std::string::npos) << text;
}

TEST(Report, has_no_count_of_stages_by_the_clock_of_a_device) {
    MadeWindow made = stream_window();
    WindowDeviceStages stages{.begin = 0.010, .end = 0.040, .seconds = {}};
    stages.seconds[Stage::optimizer] = 0.010;
    made.raw().on_device = {stages};
    const std::string text = report_text(report_on(made.window(), TableBy::stage), 9);
    expect_all(text, {"\n  optimizer" + std::string(29, ' ') + "-    15.00"});
}

TEST(Report, warns_of_a_peak_that_is_wrong) {
    MadeWindow made = cpu_window();
    made.raw().peak_flop = 1e11;
    expect_all(report_text(report_on(made.window(), TableBy::layer), 9),
               {"warning     the measured peak of arithmetic is too low: 'backward net/conv2d' reached 4",
                "launches by layer"});
    made.raw().peak_flop = 0.0;
    expect_all(report_text(report_on(made.window(), TableBy::layer), 9), {"arithmetic not measured"});
}

TEST(Report, shows_streams_and_lost_spans) {
    MadeWindow made = stream_window();
    made.raw().dropped_spans = 12;
    expect_all(report_text(report_on(made.window(), TableBy::type), 9),
               {"of the gaps: host wait 90.0 %, kernel wait 0.0 %, other 10.0 % of 10.00 ms", "stream 7", "device",
                "12 spans found no room"});
}

TEST(Report, says_that_steps_ran_without_captured_graphs) {
    MadeWindow made = stream_window();
    EXPECT_EQ(report_text(report_on(made.window(), TableBy::type), 9).find("graphs"), std::string::npos);
    made.raw().runs_eagerly = true;
    const WindowReport report = report_on(made.window(), TableBy::type);
    expect_all(report_text(report, 9), {"ran without captured graphs; their times differ from those of other steps\n"});
    EXPECT_LE(widest_line(report_text(report, 9)), 100U);
    EXPECT_EQ(nlohmann::json::parse(report_json(report)).at("runs_eagerly"), true);
}

TEST(Report, says_that_one_step_ran_without_captured_graphs) {
    MadeWindow made = stream_window();
    made.raw().eager_step = 1;
    const std::string text = report_text(report_on(made.window(), TableBy::type), 9);
    expect_all(text, {"mean of 1 step; the window took 100.0 ms\n",
                      "graphs      step 1 ran without captured graphs, to show layers; its time differs, so it is left "
                      "out\n"});
    EXPECT_LE(widest_line(text), 100U);
}

TEST(Report, stays_narrow_and_harmless_with_long_and_odd_names) {
    MadeWindow made = cpu_window();
    for (Operation& operation : made.raw().operations) {
        operation.path += std::string("\x1b[31m\n") + std::string(200, 'x');
        for (int i = 0; i < 120; ++i) {
            operation.path += "\u00e4";
        }
        operation.kernel = operation.path;
    }
    made.raw().names[0] += std::string(300, 'y');
    made.raw().threads[0].name = std::string(300, 'z');
    made.raw().device = std::string(300, 'd');
    made.raw().tensors[0].name = std::string(300, 't');
    const std::string text = report_text(report_on(made.window(), TableBy::operation), 50);
    EXPECT_LE(widest_line(text), 100U);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Report, as_json_has_the_same_figures) {
    WindowReport report = report_on(stream_window().window(), TableBy::direction);
    report.others.push_back({1, 0.12, {"exchange", 1.0, 0.03}, {}});
    const nlohmann::json json = nlohmann::json::parse(report_json(report));
    EXPECT_EQ(json.at("steps").size(), 2U);
    EXPECT_NEAR(json.at("step_seconds").get<double>(), 0.05, 1e-9);
    EXPECT_TRUE(json.at("recording_seconds").is_null());
    EXPECT_EQ(json.at("table").at("by"), "direction");
    EXPECT_NEAR(json.at("idle").at(0).at("causes").at("input").get<double>(), 5e-3, 1e-9);
    EXPECT_NEAR(json.at("idle").at(0).at("gaps").at("host_wait").get<double>(), 9e-3, 1e-9);
    EXPECT_NEAR(json.at("between_steps").at("seconds").get<double>(), 0.0, 1e-9);
    EXPECT_NEAR(json.at("critical_path").at("seconds").get<double>(), 0.1, 1e-9);
    EXPECT_EQ(json.at("other_ranks").at(0).at("longest_wait").at("stage"), "exchange");
    double stages = 0.0;
    for (const nlohmann::json& row : json.at("stages").at("rows")) {
        stages += row.at("self_seconds").get<double>();
    }
    EXPECT_NEAR(stages, 0.05, 1e-9);
}

TEST(Report, of_an_empty_window) {
    const WindowReport report = report_on(Window{}, TableBy::operation);
    expect_all(report_text(report, 10), {"no launches were recorded"});
    EXPECT_TRUE(nlohmann::json::parse(report_json(report)).at("steps").empty());
}

TEST(Report, of_another_rank) {
    const OtherRank other = other_rank(cpu_window().window());
    EXPECT_NEAR(other.seconds_of_step, 0.1, 1e-9);
    EXPECT_EQ(other.wait.name, "preprocess");
}

}  // namespace
}  // namespace sluice::profile
