// Signals that ask to stop: the first saves and exits, a second Ctrl-C exits at once, and no checkpoint is ever
// truncated.
#include <csignal>
#include <cstdlib>

#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Signal : public PipelineTest {
protected:
    void SetUp() override { write_tiny({{"epochs = 2", "epochs = 1000000"}, {"\"cosine\"", "\"constant\""}}); }
    const std::vector<std::string> train_{"train", "tiny.toml", "--run-folder", "run"};
};

TEST_F(Signal, once_saves_and_can_be_resumed) {
    std::vector<int> numbers{SIGINT, SIGTERM};
    if (std::getenv("SLUICE_TEST_DEVICE") == nullptr) {  // the device makes no difference to these
        numbers.insert(numbers.end(), {SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU});
    }
    for (const int number : numbers) {
        std::filesystem::remove_all(folder() / "run");
        HostProcess process(train_, process_options());
        ASSERT_TRUE(process.wait_for_file(checkpoint()));
        process.send(number);
        const Finished finished = process.finish();
        EXPECT_EQ(finished.exit, 128 + number) << finished.err;
        const std::string saved = "stopped and saved at step ";
        ASSERT_NE(finished.err.find(saved), std::string::npos) << finished.err;
        EXPECT_NE(finished.err.find(" resume run\n"), std::string::npos) << finished.err;

        const int step = std::stoi(finished.err.substr(finished.err.find(saved) + saved.size()));
        const Finished resumed =
            host({"resume", "run", "--set", "train.steps=" + std::to_string(step + 6), "--set", "train.epochs=999999"});
        expect_success(resumed);
        EXPECT_NE(resumed.err.find("finished at step " + std::to_string(step + 6)), std::string::npos) << resumed.err;
    }
}

TEST_F(Signal, twice_leaves_at_once) {
    // Steps take half a second, so that the second signal comes within one. The emulated GPU needs that time for
    // smaller images.
    const char* const device = std::getenv("SLUICE_TEST_DEVICE");
    const std::string extent = device != nullptr && std::string_view(device) == "emulated_cuda" ? "128" : "384";
    write_tiny({{"batch = 4", "batch = 8"},
                {"count = 16, size = [32, 32]", "count = 16, size = [" + extent + ", " + extent + "]"},
                {"filters = 6, kernel = 3", "filters = 32, kernel = 7"},
                {"every = \"1 epoch\"", "every = \"1 steps\""},
                {"epochs = 2", "epochs = 1000000"}});
    // A first signal that comes between two steps saves at once, before the second one.
    bool saved = true;
    for (int attempt = 0; attempt < 3 && saved; ++attempt) {
        std::filesystem::remove_all(folder() / "run");
        HostProcess process(train_, process_options());
        // The next step begins when the checkpoint is the last one. That is after its event.
        ASSERT_TRUE(process.wait_for_text(folder() / "run/events.jsonl", "\"kind\":\"checkpoint\""));
        ASSERT_TRUE(process.wait_for_file(checkpoint()));
        process.send(SIGINT);
        ASSERT_TRUE(process.wait_for_error_text("once more to leave at once"));
        process.send(SIGINT);
        const Finished finished = process.finish();
        EXPECT_EQ(finished.exit, 130) << finished.err;
        saved = finished.err.find("stopped and saved") != std::string::npos;
    }
    EXPECT_FALSE(saved);
    expect_success(host({"evaluate", checkpoint()}));
    expect_success(host({"resume", "run", "--set", "train.steps=1", "--set", "data.batch=8"}));
}

// A scheduler may warn by SIGUSR1 more than once, and sends SIGTERM at the time limit.
TEST_F(Signal, of_a_scheduler_never_leaves_before_it_has_saved) {
    HostProcess process(train_, process_options());
    ASSERT_TRUE(process.wait_for_file(checkpoint()));
    for (const int number : {SIGUSR1, SIGUSR1, SIGHUP, SIGTERM}) {
        process.send(number);
    }
    const Finished finished = process.finish();
    EXPECT_GT(finished.exit, 128) << finished.err;  // signals that come at once are handled in any order
    EXPECT_NE(finished.err.find("stopped and saved at step "), std::string::npos) << finished.err;
}

TEST_F(Signal, hangup_is_ignored_under_nohup) {
    process_options().before_start = [] { std::signal(SIGHUP, SIG_IGN); };
    HostProcess process(train_, process_options());
    ASSERT_TRUE(process.wait_for_file(checkpoint()));
    process.send(SIGHUP);
    ASSERT_TRUE(process.wait_for_newer(checkpoint(), std::filesystem::last_write_time(checkpoint())));
    process.send(SIGINT);
    EXPECT_EQ(process.finish().exit, 130);
}

// Each command has work for minutes and stops at the signal. Only a training has steps, and only it saves.
TEST_F(Signal, is_answered_by_each_command_in_its_own_words) {
    train("run", {"--steps", "1"});
    write("pictures/0.png", png_of(make_picture(24, 24)));
    for (int i = 1; i < 20000; ++i) {
        std::filesystem::create_hard_link(folder() / "pictures/0.png",
                                          folder() / "pictures" / (std::to_string(i) + ".png"));
    }
    const std::vector<std::pair<std::vector<std::string>, std::string>> commands{
        {{"evaluate", checkpoint(), "--set", "data.validation.source.count=1000000"},
         "stopping after this batch; no scores are printed"},
        {{"predict", checkpoint(), "--input", "pictures", "--output", "out"},
         "stopping after this picture; complete pictures are kept"},
        {{"drain", "tiny.toml", "--seconds", "1000", "--set", "data.train.source.count=1000000"},
         "stopping after this batch"},
        {{"prepare", "tiny.toml", "--out", "prepared", "--set", "data.train.source.count=1000000"},
         "stopping: complete files are kept, and the same command continues from there"}};
    for (const auto& [arguments, text] : commands) {
        HostProcess process(arguments, process_options());
        ASSERT_TRUE(process.wait_for_handler(SIGHUP)) << arguments.front();
        process.send(SIGHUP);
        const Finished finished = process.finish();
        EXPECT_EQ(finished.exit, 128 + SIGHUP) << arguments.front() << ": " << finished.err;
        EXPECT_EQ(count_of(finished.err, "\n" + text + "\n"), 1U) << arguments.front() << ": " << finished.err;
    }
}

TEST_F(Signal, during_start_leaves_no_files_that_cannot_be_used) {
    HostProcess process(train_, process_options());
    process.send(SIGINT);
    const Finished finished = process.finish();
    EXPECT_TRUE(finished.exit == 130 || finished.signal == SIGINT) << finished.exit << finished.err;
    std::filesystem::remove_all(folder() / "run");
    expect_success(host({"train", "tiny.toml", "--run-folder", "run", "--steps", "1"}));
}

}  // namespace
}  // namespace sluice::test
