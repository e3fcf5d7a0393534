// Recorded steps: `profile show`, requests to a live run, and what a training records.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "history/run_lock.hpp"
#include "pipeline_test.hpp"
#include "profile/step_times.hpp"
#include "profile/window_json.hpp"
#include "unit/profile/made_window.hpp"

namespace sluice::test {
namespace {

using nlohmann::json;

class ShowProfile : public PipelineTest {
protected:
    static std::string text_of(profile::MadeWindow made, std::int64_t first, std::uint32_t rank = 0,
                               std::uint32_t ranks = 1, std::chrono::seconds age = {}) {
        const auto began = std::chrono::system_clock::now().time_since_epoch() - age;
        made.raw().began_unix_ns = std::chrono::nanoseconds(began).count();
        made.raw().first_step = first;
        made.raw().last_step = first + 1;
        made.raw().rank = rank;
        made.raw().ranks = ranks;
        return profile::to_json(made.window());
    }
    // The file appears as a whole, as that of a run does.
    std::filesystem::path publish(const std::string& name, const std::string& text) const {
        const std::filesystem::path file = folder() / "run/profile" / name;
        std::filesystem::rename(write("run/profile/unfinished", text), file);
        return file;
    }
    // A window of the steps 20 and 21.
    void write_window() const { publish("steps-000020-000021.json", text_of(profile::cpu_window(), 20)); }
};

TEST_F(ShowProfile, prints_all_tables_of_the_newest_window) {
    const auto older = publish("steps-000030-000031.json", text_of(profile::stream_window(), 30));
    std::filesystem::last_write_time(older, std::filesystem::last_write_time(older) - std::chrono::seconds(60));
    write_window();
    const std::string output = expect_output(
        {"profile", "show", "run"},
        {"steps 20 to 21, rank 0 of 1, a CPU", "stages of the loop", "launches by operation", "forward net/conv2d",
         "idle, ms per step", "critical path, 200.0 ms of steps of 200.0 ms", "arena       20.0 MiB", "resident"});
    for (const std::string& line : lines_of(output)) {
        EXPECT_LE(line.size(), 100U) << line;
    }
    expect_output({"profile", "show", "run", "--window", "steps-000030-000031.json"}, {"steps 30 to 31", "stream 7"});
    expect_output({"profile", "show", "--window", older.string()}, {"steps 30 to 31"});
}

TEST_F(ShowProfile, prints_rows_as_asked) {
    write_window();
    for (const char* const by : {"operation", "layer", "type", "direction"}) {
        expect_output({"profile", "show", "run", "--by", by}, {std::string("launches by ") + by});
    }
    EXPECT_EQ(expect_output({"profile", "show", "run", "--by", "stage"}, {"preprocess"}).find("launches by"),
              std::string::npos);
    expect_output({"profile", "show", "run", "--rows", "2"}, {"3 more"});
    expect_output({"complete", "profile", "show", "run", "--by", "la"}, {"layer\n"});
    expect_output({"complete", "profile", "sh"}, {"show\n"});
}

TEST_F(ShowProfile, prints_json) {
    write_window();
    const json report = json::parse(expect_output({"profile", "show", "run", "--json", "--by", "layer"}));
    EXPECT_EQ(report.at("first_step"), 20);
    EXPECT_EQ(report.at("table").at("by"), "layer");
    EXPECT_EQ(report.at("table").at("rows").size(), 3U);
    EXPECT_NEAR(report.at("critical_path").at("seconds").get<double>(), 0.2, 1e-6);
}

TEST_F(ShowProfile, prints_a_line_for_each_other_rank) {
    write("run/profile/steps-000020-000021.json", text_of(profile::cpu_window(), 20, 0, 4));
    write("run/profile/steps-000020-000021-rank-1.json", text_of(profile::stream_window(), 20, 1, 4));
    write("run/profile/steps-000020-000021-rank-2.json", text_of(profile::stream_window(), 20, 2, 4).substr(0, 300));
    const Finished finished = host({"profile", "show", "run"});
    expect_success(finished);
    expect_contains(finished.out, {"rank 0 of 4", "rank 1      50.00 ms a step; longest wait: ",
                                   "rank 2      run/profile/steps-000020-000021-rank-2.json: not a recorded"});
    expect_contains(finished.err, {"3 of 4 ranks have a file of these steps"});
}

TEST_F(ShowProfile, prints_a_slow_growth_of_memory) {
    write_window();
    std::string usage = "unix_seconds,seconds,step,resident_bytes\n";
    for (int second = 0; second < 300; ++second) {
        usage += std::to_string(1790000000 + second) + "," + std::to_string(second) + "," +
                 std::to_string(10 * second) + "," + std::to_string(1'000'000'000 + 200'000 * second) + "\n";
    }
    write("run/usage.csv", usage + "1790000300,30");  // the run goes on
    expect_output({"profile", "show", "run"},
                  {"growth      resident memory: 720.0 MB per hour, 20.00 MB per 1000 steps"});
}

TEST_F(ShowProfile, prints_the_memory_of_a_run_without_a_window) {
    write("run/usage.csv", "seconds,resident_bytes\n1,1048576\n2,3145728\n3,2097152\n");
    const std::string output =
        expect_output({"profile", "show", "run"},
                      {"resident    1.0 MiB at begin, 2.0 MiB at end, 3.0 MiB at peak\n", "run: no steps were recorded",
                       "profile run --steps 5`", "train --profile 20-24`"});
    EXPECT_EQ(output.find("growth"), std::string::npos) << output;
    EXPECT_EQ(output.find("predicted"), std::string::npos) << output;
    write("run/plan.txt", "memory      1.5 MiB: arena 1.5 MiB\n");
    expect_output({"profile", "show", "run"}, {"predicted   1.5 MiB: arena 1.5 MiB\nresident "});
    const json report = json::parse(expect_output({"profile", "show", "run", "--json"}));
    EXPECT_EQ(report.at("memory").at("points").at("resident_bytes").at("end"), 2097152.0);
    EXPECT_EQ(report.at("memory").at("predicted_bytes"), 1572864);
    write("run/usage.csv", "seconds,resident_bytes\n");
    expect_refused(host({"profile", "show", "run"}), 2, {"run: no steps were recorded"});
}

TEST_F(ShowProfile, refuses_what_cannot_be_shown) {
    expect_refused(host({"profile", "show", "run"}), 2, {"run: there is no such run folder"});
    write("run/metrics.csv", "");
    expect_refused(host({"profile", "show", "run"}), 2,
                   {"run: no steps were recorded", "profile run --steps 5`", "train --profile 20-24`"});
    expect_refused(host({"profile", "show", "run/metrics.csv"}), 2, {"is no run folder, but a file"});
    const std::string whole = text_of(profile::cpu_window(), 20);
    for (const std::size_t size : {whole.size() / 2, whole.size() - 3}) {
        write("run/profile/steps-000020-000021.json", whole.substr(0, size));
        expect_refused(
            host({"profile", "show", "run"}), 2,
            {"run/profile/steps-000020-000021.json: not a recorded window: it is cut off after", "record some steps"});
    }
    write("run/profile/steps-000020-000021.json", "{}");
    expect_refused(host({"profile", "show", "run", "--window", "steps-000020-000021.json"}), 2,
                   {"the field 'version' is missing; choose another file with --window"});
    write_window();
    expect_refused(host({"profile", "show", "--window", "none.json"}), 2, {"none.json: cannot read"});
    expect_refused(host({"profile", "show", "run", "--window", "none.json"}), 2,
                   {"run: there is no window 'none.json'; there are steps-000020-000021.json"});
    expect_refused(host({"profile", "show", "run", "--by", "layers"}), 2, {"did you mean 'layer'"});
    expect_refused(host({"profile", "show", "run", "--rows", "0"}), 2, {"--rows is 0; it is from 1 to"});
    expect_refused(host({"profile", "show", "run", "--steps", "5"}), 2, {"ask a live run"});
    expect_refused(host({"profile", "show"}), 2, {"give a run folder"});
    expect_refused(host({"profile", "run"}), 2, {"profile show run` shows", "profile run --steps 5` records"});
    expect_refused(host({"profile", "none"}), 2, {"none: there is no such run folder"});
    expect_refused(host({"profile"}), 2, {"give a run folder"});
}

TEST_F(ShowProfile, prints_the_newest_window_that_is_not_damaged) {
    write_window();
    write("run/profile/steps-000030-000031.json", "");
    const Finished finished = host({"profile", "show", "run"});
    expect_success(finished);
    expect_contains(finished.out, {"steps 20 to 21"});
    expect_contains(finished.err, {"steps-000030-000031.json: not a recorded window: it is empty; "
                                   "steps-000020-000021.json is shown instead"});
}

// The test takes the part of the run: it locks the folder and answers the request.
class RequestProfile : public ShowProfile {
protected:
    void SetUp() override {
        std::filesystem::create_directories(folder() / "run");
        lock_ = history::lock_run(folder() / "run");
        ASSERT_GE(lock_, 0);
    }
    void TearDown() override { end_run(); }
    void end_run() {
        if (lock_ >= 0) {
            ::close(lock_);
            lock_ = -1;
        }
    }
    [[nodiscard]] std::filesystem::path request() const { return folder() / "run/profile-request"; }
    // Takes the request of a command as a run does, and writes the window that it shows.
    Finished ask_and_write_window() {
        HostProcess process(command_, process_options());
        EXPECT_TRUE(process.wait_for_text(request(), "2\n"));
        std::filesystem::remove(request());
        write_window();
        Finished finished = process.finish();
        expect_success(finished);
        return finished;
    }
    const std::vector<std::string> command_{"profile", "run", "--steps", "2"};

private:
    int lock_ = -1;
};

TEST_F(RequestProfile, waits_for_the_window_and_shows_it) {
    write("run/profile/steps-000005-000006.json", text_of(profile::cpu_window(), 5));
    const Finished finished = ask_and_write_window();
    expect_contains(finished.out, {"steps 20 to 21"});
}

// The run writes the file of a window again when it knows the cost of recording.
TEST_F(RequestProfile, does_not_show_an_older_window_that_was_written_again) {
    const std::string older = text_of(profile::cpu_window(), 5, 0, 1, std::chrono::seconds(2));
    const std::string old = text_of(profile::cpu_window(), 10);
    publish("steps-000005-000006.json", older);
    publish("steps-000010-000011.json", old);
    HostProcess process(command_, process_options());
    ASSERT_TRUE(process.wait_for_text(request(), "2\n"));
    std::filesystem::remove(request());
    publish("steps-000005-000006.json", older);
    publish("steps-000010-000011.json", old);
    publish("steps-000030-000031.json", "{}");
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    write_window();
    const Finished finished = process.finish();
    expect_success(finished);
    expect_contains(finished.out, {"steps 20 to 21"});
}

// A resumed run records steps again.
TEST_F(RequestProfile, shows_a_window_in_the_file_of_an_older_one) {
    publish("steps-000020-000021.json", text_of(profile::stream_window(), 20, 0, 1, std::chrono::seconds(60)));
    const Finished finished = ask_and_write_window();
    expect_contains(finished.out, {"a CPU"});
}

TEST_F(RequestProfile, stays_with_the_run_that_took_it) {
    const std::vector<std::string> taken{"the run has taken the request; it will write run/profile/steps-*.json",
                                         "profile show run` shows them then"};
    HostProcess process(command_, process_options());
    ASSERT_TRUE(process.wait_for_text(request(), "2\n"));
    std::filesystem::remove(request());
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    write("run/profile-request", "7\n");  // of another command
    process.send(SIGINT);
    const Finished finished = process.finish();
    EXPECT_EQ(finished.exit, 130);
    expect_contains(finished.err, taken);
    EXPECT_TRUE(std::filesystem::remove(request()));
    HostProcess limited(joined<std::string>(command_, {"--timeout", "1"}), process_options());
    ASSERT_TRUE(limited.wait_for_text(request(), "2\n"));
    std::filesystem::remove(request());
    expect_refused(limited.finish(), 2, joined<std::string>({"no window after 1 s"}, taken));
}

TEST_F(RequestProfile, waits_for_the_files_of_all_ranks) {
    HostProcess process(command_, process_options());
    ASSERT_TRUE(process.wait_for_text(request(), "2\n"));
    std::filesystem::remove(request());
    publish("steps-000020-000021.json", text_of(profile::cpu_window(), 20, 0, 2));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    publish("steps-000020-000021-rank-1.json", text_of(profile::cpu_window(), 20, 1, 2));
    const Finished finished = process.finish();
    expect_success(finished);
    expect_contains(finished.out, {"rank 1      100.0 ms a step"});
}

TEST_F(RequestProfile, is_withdrawn_by_a_signal) {
    HostProcess process(command_, process_options());
    ASSERT_TRUE(process.wait_for_file(request()));
    process.send(SIGINT);
    const Finished finished = process.finish();
    EXPECT_EQ(finished.exit, 130);
    expect_contains(finished.err, {"the request was withdrawn"});
    EXPECT_FALSE(std::filesystem::exists(request()));
}

TEST_F(RequestProfile, is_withdrawn_at_the_timeout) {
    expect_refused(host(joined<std::string>(command_, {"--timeout", "0.3"})), 2,
                   {"no window after 0.3 s: the request was withdrawn", "had not taken"});
    EXPECT_FALSE(std::filesystem::exists(request()));
}

TEST_F(RequestProfile, fails_if_the_run_ends) {
    HostProcess process(command_, process_options());
    ASSERT_TRUE(process.wait_for_file(request()));
    end_run();
    expect_refused(process.finish(), 2, {"the run ended before it took the request"});
    EXPECT_FALSE(std::filesystem::exists(request()));
    expect_refused(host(command_), 2, {"run: no run is alive in this folder", "profile show run`"});
}

TEST_F(RequestProfile, shows_a_window_that_the_run_wrote_as_it_ended) {
    HostProcess process(command_, process_options());
    ASSERT_TRUE(process.wait_for_file(request()));
    process.while_stopped([&] {
        std::filesystem::remove(request());
        write_window();
        end_run();
    });
    const Finished finished = process.finish();
    expect_success(finished);
    expect_contains(finished.out, {"steps 20 to 21"});
}

TEST_F(RequestProfile, refuses_what_no_run_can_do) {
    for (const char* const steps : {"0", "-3", "1001"}) {
        expect_refused(host({"profile", "run", "--steps", steps}), 2,
                       {std::string("--steps is ") + steps + "; it is from 1 to 1000"});
    }
    for (const char* const timeout : {"0", "-1", "inf", "nan"}) {
        expect_refused(host(joined<std::string>(command_, {"--timeout", timeout})), 2, {"--timeout is "});
    }
    expect_refused(host({"profile", "none", "--steps", "2"}), 2, {"none: there is no such run folder"});
    write("run/profile-request", "7\n");
    expect_refused(host(command_), 2, {"run/profile-request: another request waits"});
    EXPECT_EQ(read_bytes(request()), "7\n");
    std::filesystem::remove(request());
    std::filesystem::create_symlink("nothing", request());
    expect_refused(host(command_), 2, {"run/profile-request: this is not a regular file", "remove it"});
    std::filesystem::remove(request());
    std::filesystem::create_directory(request());
    expect_refused(host(command_), 2, {"run/profile-request: this is not a regular file", "remove it"});
}

class RecordProfile : public PipelineTest {
protected:
    // Checks what any window of a training must have.
    void check(const profile::Window& window, std::size_t steps) const {
        const profile::StepTimes times = profile::step_times(window);
        ASSERT_EQ(times.steps.size(), steps);
        double stages = 0.0;
        for (const profile::StageTime& stage : times.stages) {
            stages += stage.seconds;
        }
        EXPECT_NEAR(stages, times.seconds_of_step(), 0.01 * times.seconds_of_step());
        EXPECT_FALSE(window.operations.empty());
        EXPECT_FALSE(window.tensors.empty());
        EXPECT_EQ(window.dropped_spans, 0U);
    }
    [[nodiscard]] profile::Window window_in(const std::string& name) const {
        const std::filesystem::path file = folder() / "run/profile" / name;
        return profile::parse_window(read_bytes(file), file.string());
    }
};

TEST_F(RecordProfile, of_steps_that_were_chosen_before) {
    write_tiny();
    train("run", {"--profile", "3-4"});
    const profile::Window window = window_in("steps-000003-000004.json");
    check(window, 2);
    const json report = json::parse(expect_output({"profile", "show", "run", "--json"}));
    EXPECT_NEAR(report.at("critical_path").at("seconds").get<double>(), profile::step_times(window).seconds,
                0.01 * window.seconds);
    EXPECT_FALSE(report.at("table").at("rows").empty());
    for (const json& row : report.at("table").at("rows")) {
        EXPECT_LE(row.at("of_limit").get<double>(), 1.05) << row;
    }
    expect_output({"profile", "show", "run"}, {"steps 3 to 4", "stages of the loop", "critical path"});
    std::smatch line;
    const std::string planned = expect_output({"plan", "tiny.toml"}, {"\nmemory      "});
    ASSERT_TRUE(std::regex_search(planned, line, std::regex("\nmemory      ([0-9.]+ [KMG]?i?B: [^,\n]+)"))) << planned;
    expect_contains(read_bytes(folder() / "run/plan.txt"), {line.str()});
    expect_output({"profile", "show", "run"}, {"\npredicted   " + line.str(1)});
}

TEST_F(RecordProfile, of_a_live_run) {
    write_tiny({{"epochs = 2", "epochs = 1000000"}, {"\"cosine\"", "\"constant\""}});
    HostProcess training({"train", "tiny.toml", "--run-folder", "run"}, process_options());
    ASSERT_TRUE(training.wait_for_file(checkpoint()));
    const std::string output = expect_output({"profile", "run", "--steps", "3"}, {"mean of 3 steps"});
    std::smatch steps;
    ASSERT_TRUE(std::regex_search(output, steps, std::regex("steps ([0-9]+) to ([0-9]+)"))) << output;
    EXPECT_EQ(std::stoi(steps[2]) - std::stoi(steps[1]), 2);
    EXPECT_FALSE(std::filesystem::exists(folder() / "run/profile-request"));
    training.send(SIGINT);
    EXPECT_EQ(training.finish().exit, 130);
}

TEST_F(RecordProfile, of_a_live_run_after_the_steps_of_its_pipeline) {
    write_tiny({{"epochs = 2", "epochs = 1000000"}, {"\"cosine\"", "\"constant\""}});
    HostProcess training({"train", "tiny.toml", "--run-folder", "run", "--profile", "3-4"}, process_options());
    ASSERT_TRUE(training.wait_for_file(folder() / "run/profile/steps-000003-000004.json"));
    const std::string output = expect_output({"profile", "run", "--steps", "3"}, {"mean of 3 steps; "});
    std::smatch steps;
    ASSERT_TRUE(std::regex_search(output, steps, std::regex("steps ([0-9]+) to ([0-9]+)"))) << output;
    EXPECT_GT(std::stoi(steps[1]), 4);
    training.send(SIGINT);
    EXPECT_EQ(training.finish().exit, 130);
}

TEST_F(RecordProfile, of_two_processes_each_with_a_file_of_its_own) {
    write_tiny();
    expect_success(host({"launch", "-n", "2", "tiny.toml", "--run-folder", "run", "--set", "profile.steps=\"3-4\""}));
    for (const char* const name : {"steps-000003-000004.json", "steps-000003-000004-rank-1.json"}) {
        SCOPED_TRACE(name);
        const profile::Window window = window_in(name);
        check(window, 2);
        EXPECT_EQ(window.ranks, 2U);
        EXPECT_TRUE(std::ranges::any_of(window.spans, [](const profile::WindowSpan& span) {
            return span.kind == SLUICE_SPAN_EXCHANGE && span.bytes > 0;
        }));
    }
    expect_output({"profile", "show", "run"}, {"rank 0 of 2", "rank 1"});
}

// Both processes agree on the steps with the status that they exchange.
TEST_F(RecordProfile, of_two_live_processes) {
    write_tiny({{"epochs = 2", "epochs = 1000000"}, {"\"cosine\"", "\"constant\""}});
    HostProcess training({"launch", "-n", "2", "tiny.toml", "--run-folder", "run"}, process_options());
    ASSERT_TRUE(training.wait_for_file(checkpoint()));
    const std::string output = expect_output({"profile", "run", "--steps", "2"}, {"rank 0 of 2", "rank 1"});
    training.send(SIGINT);
    static_cast<void>(training.finish());
}

TEST_F(RecordProfile, of_two_replicas_in_one_process) {
    write_tiny();
    train("run", {"--profile", "3-4", "--set", "strategy.use=mirrored", "--set", "strategy.replicas=2"});
    const profile::Window window = window_in("steps-000003-000004.json");
    check(window, 2);
    EXPECT_EQ(std::ranges::count(window.threads, std::uint32_t{SLUICE_THREAD_COMPUTE}, &profile::WindowThread::kind),
              2);
}

}  // namespace
}  // namespace sluice::test
