// The work of the input's stages, as `host drain` and `--stages` of a training print it.
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class InputStages : public PipelineTest {};

TEST_F(InputStages, are_listed_with_the_digest_of_an_epoch) {
    write_tiny();
    const Finished drained = host({"drain", "tiny.toml", "--epochs", "1"});
    ASSERT_EQ(drained.exit, 0) << drained.err;
    train();
    const Finished again = host({"drain", "tiny.toml", "--epochs", "1", "--set", "data.workers=3"});
    const std::string digest = "SHA-256 of the last whole epoch: ";
    const std::string sum = drained.out.substr(drained.out.find(digest) + digest.size(), 64);
    EXPECT_NE(again.out.find(digest + sum), std::string::npos) << again.out << drained.out;
    EXPECT_EQ(epoch_hashes("run").at(0), std::pair(1, sum));
    EXPECT_EQ(read_bytes(folder() / "run/log.txt").find(sum), std::string::npos)
        << "log.txt has the digest of an epoch, which would be half of a small run's log";
    expect_contains(drained.out, {"dead_leaves", "samples/s", "threads busy", "MB/s in", "blocked on output",
                                  "of the workers' time"});
}

TEST_F(InputStages, as_json) {
    write_tiny();
    const Finished drained = host({"drain", "tiny.toml", "--data", "validation", "--seconds", "0.2", "--json"});
    ASSERT_EQ(drained.exit, 0) << drained.err;
    const auto found = nlohmann::json::parse(drained.out);
    EXPECT_GT(found["samples_per_second"].get<double>(), 0.0);
    EXPECT_EQ(found["stages"][0]["name"], "dead_leaves");
    EXPECT_GT(found["stages"][0]["samples"].get<int>(), 0);
    EXPECT_GT(found["stages"][1]["bytes_in"].get<int>(), 0);
    EXPECT_GE(found["worker_seconds"].get<double>(), 0.2);
    const std::vector<std::string> epoch{"drain", "tiny.toml", "--epochs", "1"};
    const auto whole = nlohmann::json::parse(expect_output(joined<std::string>(epoch, {"--json"})));
    expect_output(epoch, {"SHA-256 of the last whole epoch: " + whole["epoch_sha256"].get<std::string>()});
}

TEST_F(InputStages, are_redrawn_on_a_terminal) {
    write_tiny();
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child < 0) {
        GTEST_SKIP() << "there is no terminal here: " << std::strerror(errno);
    }
    if (child == 0) {
        for (const auto& [name, value] : process_options().environment) {
            ::setenv(name.c_str(), value.c_str(), 1);
        }
        if (::chdir(folder().c_str()) == 0) {
            ::execl(SLUICE_TEST_HOST, "host", "drain", "tiny.toml", "--seconds", "2.5", nullptr);
        }
        ::_exit(127);
    }
    std::string shown;
    std::array<char, 4096> part{};
    for (ssize_t got = 0; (got = ::read(terminal, part.data(), part.size())) > 0;) {
        shown.append(part.data(), static_cast<std::size_t>(got));
    }
    ::close(terminal);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << shown;
    EXPECT_GE(count_of(shown, " s, the last second:"), 2U) << shown;
    EXPECT_GE(count_of(shown, "threads busy"), 3U) << shown;  // the last table stays
    EXPECT_GE(count_of(shown, "A\x1b[J"), 2U) << shown;       // the cursor moves up, and the table is erased
}

TEST_F(InputStages, of_what_is_not_there) {
    write_tiny();
    expect_refused(host({"drain", "tiny.toml", "--data", "test"}), 2, {"--data is 'test'; it is train or validation"});
    expect_refused(host({"drain", "tiny.toml", "--epochs", "-1"}), 2, {"--epochs is -1; it is more than 0"});
    expect_refused(host({"drain", "tiny.toml", "--epochs", "0"}), 2, {"--epochs is 0; it is more than 0"});
    expect_refused(host({"drain", "tiny.toml", "--seconds", "0"}), 2, {"--seconds is 0; it is a number of seconds"});
    for (const std::string seconds : {"nan", "inf", "-1"}) {
        expect_refused(host({"drain", "tiny.toml", "--seconds", seconds}), 2,
                       {"--seconds is " + seconds + "; it is a number of seconds"});
    }
    expect_refused(host({"drain", "tiny.toml", "--set", "data.workers=100000"}), 2, {"data.workers", "1024"});
}

// A batch of 4 takes 2 * 4 * 32 * 32 * 3 B.
TEST_F(InputStages, whose_batches_do_not_fit_are_refused) {
    write_tiny();
    const std::string memory = "data.memory=\"120 KiB\"";
    for (const std::string command : {"drain", "plan", "train"}) {
        expect_refused(host({command, "tiny.toml", "--set", memory}), 2,
                       {"data.train: a batch of 4 samples takes 24.0 KiB", "data.memory = 120.0 KiB leaves 40.0 KiB",
                        "data.batch = 3, or more memory"});
    }
    expect_success(host({"drain", "tiny.toml", "--seconds", "0.1", "--set", memory, "--set", "data.batch=3"}));
    expect_contains(expect_output({"plan", "tiny.toml", "--set", "data.memory=\"2 MiB\""}),
                    {", up to 341.3 KiB of them, 682.7 KiB of samples that are being made\n"});
}

TEST_F(InputStages, share_a_fresh_cache) {
    write_tiny({{"map = [\n", "map = [\n  { use = \"cache\", in = \"disk\", folder = \"kept\" },\n"}});
    const std::vector<std::string> drain{"drain", "tiny.toml", "--epochs", "2"};
    HostProcess first(drain, process_options());
    HostProcess second(drain, process_options());
    HostProcess third(drain, process_options());
    expect_success(first.finish());
    expect_success(second.finish());
    expect_success(third.finish());
}

TEST_F(InputStages, without_memory_for_a_batch) {
    write_tiny({{"count = 16", "count = 1000000000000000000"}});
    expect_refused(host({"drain", "tiny.toml", "--set", "data.batch=1000000000000000000"}), 4,
                   {"out of memory for a batch of 1000000000000000000 samples"});
}

TEST_F(InputStages, are_logged_at_the_end_of_a_training) {
    write_tiny();
    train("run", {"--stages"});
    expect_contains(read_bytes(folder() / "run/log.txt"), {"input, in total:", "dead_leaves", "batches ready; waited"});
}

}  // namespace
}  // namespace sluice::test
