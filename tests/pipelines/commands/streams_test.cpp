// Standard output and standard error that are closed, full or limited: no training stops for them, and no result is
// lost without an error.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

// Connects a stream to a pipe that nobody reads.
void close_reader_of(int stream) {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) == 0) {
        ::dup2(pipe[1], stream);
        ::close(pipe[0]);
        ::close(pipe[1]);
    }
}

void fill(int stream) { ::dup2(::open("/dev/full", O_WRONLY | O_CLOEXEC), stream); }

class Streams : public PipelineTest {
protected:
    void SetUp() override { write_tiny(); }
};

TEST_F(Streams, of_errors_that_are_lost_end_no_training) {
    train("whole");
    const std::pair<const char*, void (*)()> ways[] = {{"pipe", [] { close_reader_of(STDERR_FILENO); }},
                                                       {"closed", [] { ::close(STDERR_FILENO); }},
                                                       {"all", [] { ::close_range(0, STDERR_FILENO, 0); }},
                                                       {"full", [] { fill(STDERR_FILENO); }}};
    for (const auto& [name, lose] : ways) {
        process_options().before_start = lose;
        const Finished finished = host({"train", "tiny.toml", "--run-folder", name});
        EXPECT_EQ(finished.exit, 0) << name << " signal " << finished.signal;
        EXPECT_EQ(tensor_bytes_of(checkpoint(name)), tensor_bytes_of(checkpoint("whole"))) << name;
        EXPECT_EQ(lines_of(read_bytes(folder() / name / "metrics.csv")).size(), 3U) << name;
        EXPECT_NE(read_bytes(folder() / name / "log.txt").find("finished at step 8"), std::string::npos) << name;
    }
}

TEST_F(Streams, of_errors_that_close_meanwhile_end_no_training) {
    write_tiny({{"epochs = 2", "epochs = 1000000"}, {"\"cosine\"", "\"constant\""}});
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
    process_options().before_start = [end = pipe[1]] { ::dup2(end, STDERR_FILENO); };
    HostProcess process({"train", "tiny.toml", "--run-folder", "run"}, process_options());
    ::close(pipe[1]);
    ASSERT_TRUE(process.wait_for_file(checkpoint()));
    ::close(pipe[0]);
    ASSERT_TRUE(process.wait_for_newer(checkpoint(), std::filesystem::last_write_time(checkpoint())));
    process.send(SIGTERM);
    EXPECT_EQ(process.finish().exit, 143);
    EXPECT_NE(read_bytes(folder() / "run/log.txt").find("stopped and saved"), std::string::npos);
}

// The file of step events grows beyond the limit, but a checkpoint does not.
TEST_F(Streams, of_files_that_are_limited_end_no_training) {
    write_tiny({kEveryStep, {"epochs = 2", "epochs = 8"}});
    train("whole");
    const auto limit = std::filesystem::file_size(checkpoint("whole")) + 100;
    ASSERT_GT(std::filesystem::file_size(folder() / "whole/events.jsonl"), limit);
    const auto limit_to = [](rlim_t bytes) {
        const rlimit most{bytes, bytes};
        ::setrlimit(RLIMIT_FSIZE, &most);
    };
    process_options().before_start = [=] { limit_to(limit); };
    // The limit also applies to the output that the test captures.
    const Finished finished = host({"train", "tiny.toml", "--run-folder", "run", "--quiet"});
    EXPECT_EQ(finished.exit, 8) << finished.err << finished.signal;
    expect_contains(finished.err, {"events.jsonl", "File too large", "training continues"});
    EXPECT_EQ(tensor_bytes_of(checkpoint()), tensor_bytes_of(checkpoint("whole")))
        << "the run was not trained and saved in full";

    process_options().before_start = [=] { limit_to(limit - 200); };
    const Finished unsaved = host({"train", "tiny.toml", "--run-folder", "unsaved", "--quiet"});
    EXPECT_EQ(unsaved.exit, 8) << unsaved.err << unsaved.signal;
    expect_contains(unsaved.err, {"could not be saved", "File too large"});
}

TEST_F(Streams, of_results_that_are_full_are_exit_code_8) {
    train();
    const std::vector<std::vector<std::string>> all{{"--version"},
                                                    {"--help"},
                                                    {"train", "--help"},
                                                    {"help", "data"},
                                                    {"plan", "tiny.toml"},
                                                    {"schema"},
                                                    {"plugins"},
                                                    {"plugins", "show", "onednn"},
                                                    {"doctor"},
                                                    {"evaluate", checkpoint()},
                                                    {"evaluate", checkpoint(), "--json"},
                                                    {"drain", "tiny.toml", "--epochs", "1"},
                                                    {"check", "relu", "--list"}};
    for (const std::vector<std::string>& words : all) {
        process_options().before_start = [] { fill(STDOUT_FILENO); };
        const Finished full = host(words);
        EXPECT_EQ(full.exit, 8) << words.front() << full.err;
        EXPECT_NE(full.err.find("standard output is incomplete: No space left on device"), std::string::npos)
            << words.front() << full.err;
    }
}

TEST_F(Streams, of_results_whose_reader_has_left_end_quietly) {
    process_options().before_start = [] { close_reader_of(STDOUT_FILENO); };
    for (const std::vector<std::string>& words : {std::vector<std::string>{"schema"}, {"--version"}}) {
        const Finished finished = host(words);
        EXPECT_EQ(finished.exit, 128 + SIGPIPE) << finished.err;
        EXPECT_EQ(finished.err, "");
    }
}

}  // namespace
}  // namespace sluice::test
