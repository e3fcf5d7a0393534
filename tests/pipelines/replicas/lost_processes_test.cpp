// Processes that are lost at any moment of a run, and users who stop a run.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <thread>

#include "replicas/processes_test.hpp"

namespace sluice::test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Returns an empty text if the file is gone.
std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// Returns the rank of a process that mpirun has started.
std::string number_of(pid_t pid) {
    std::istringstream environment(text_of("/proc/" + std::to_string(pid) + "/environ"));
    for (std::string variable; std::getline(environment, variable, '\0');) {
        if (variable.starts_with("OMPI_COMM_WORLD_RANK=")) {
            return variable.substr(variable.find('=') + 1);
        }
    }
    return "?";
}

// Returns the mpirun that has started this process on this machine.
pid_t parent_of(pid_t pid) {
    const std::string status = text_of("/proc/" + std::to_string(pid) + "/status");
    const std::size_t at = status.find("PPid:");
    return at == std::string::npos ? -1 : std::stoi(status.substr(at + 5));
}

// Evaluations and checkpoints take a large part of a run with these settings.
const std::vector<std::string> kWhole = {"strategy.micro_shards=4",    "train.epochs=50",
                                         "evaluate.every=\"3 steps\"", "checkpoint.every=\"2 steps\"",
                                         "schedule.use=\"constant\"",  "device.measure=true"};

class LostProcesses : public Processes {
protected:
    void SetUp() override {
        Processes::SetUp();
        if (!IsSkipped()) {
            write_tiny();
        }
    }

    // Loses one of four processes `times` times. The moments are spread over the whole life of a run, and begin before
    // the processes have joined. Every other run measures its kernels.
    void lose_one(int signal, int times, const std::string& shard_optimizer = "false") {
        const char* const wanted = std::getenv("SLUICE_TEST_SEED");
        const unsigned seed = wanted != nullptr ? static_cast<unsigned>(std::atoi(wanted)) : std::random_device{}();
        std::cout << "SLUICE_TEST_SEED=" << seed << "\n";
        std::mt19937 random(seed);
        cut_ = sets(joined(kWhole, std::vector<std::string>{"strategy.shard_optimizer=" + shard_optimizer}));
        const auto start = Clock::now();
        expect_success(host(trained(4, "whole", cut_)));
        double life = seconds_since(start);
        fs::copy(folder() / ".cache", folder() / "known", fs::copy_options::recursive);
        for (int i = 0; i < times; ++i) {
            const double share = std::uniform_real_distribution<>(i, i + 1)(random) / times;
            const bool knows_kernels = i % 2 == 0;
            const std::optional<std::string> trace = lose_at(signal, share * life, random, knows_kernels);
            if (!trace) {  // all exited before that moment
                life = share * life;
                --i;
                continue;
            }
            SCOPED_TRACE(*trace);
            std::cout << *trace << "\n";
            expect_whole_checkpoints();
            if (!fs::exists(checkpoint())) {
                continue;
            }
            expect_success(host(launched(2, {"resume", "run"})));
            expect_hashes_of("whole");
            if (knows_kernels) {
                expect_same_bits("run", "whole");
            }
        }
    }

    // Returns what has happened, or nothing if all processes had exited before.
    std::optional<std::string> lose_at(int signal, double moment, std::mt19937& random, bool knows_kernels) {
        fs::remove_all(folder() / "run");
        fs::remove_all(folder() / ".cache");
        if (knows_kernels) {
            fs::copy(folder() / "known", folder() / ".cache", fs::copy_options::recursive);
        }
        const auto start = Clock::now();
        HostProcess launcher(trained(4, "run", cut_), process_options());
        std::vector<pid_t> all;
        while (seconds_since(start) < moment ||
               (all.empty() && !fs::exists(checkpoint()) && seconds_since(start) < 60.0)) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            all = processes();
        }
        if (all.empty()) {
            expect_success(launcher.finish());
            return std::nullopt;
        }
        const pid_t lost = all[random() % all.size()];
        const std::string number = number_of(lost);
        const auto since = Clock::now();
        ::kill(lost, signal);
        const Finished finished = launcher.finish();
        const double took = seconds_since(since);
        EXPECT_LT(took, 10.0) << finished.err;
        expect_named(finished, lost, number);
        EXPECT_TRUE(processes().empty());
        return "process " + number + " after " + std::to_string(moment) + " s: exit code " +
               std::to_string(finished.exit) + " after " + std::to_string(took) + " s, " +
               (fs::exists(checkpoint()) ? "step " + metadata_of(checkpoint()).at("step") : "no checkpoint");
    }

    // Expects that only the lost process is named, perhaps by several others, or no process if the run had finished
    // before.
    static void expect_named(const Finished& finished, pid_t lost, const std::string& number) {
        const std::string by_pid = "(pid " + std::to_string(lost) + ") has ";
        const std::size_t named =
            count_of(finished.err, by_pid) + count_of(finished.err, "process " + number + " has not joined within ");
        EXPECT_TRUE(finished.exit == 7 ? named > 0 : finished.exit == 0) << finished.err;
        EXPECT_EQ(count_of(finished.err, "(pid "), count_of(finished.err, by_pid)) << finished.err;
        EXPECT_EQ(count_of(finished.err, "could not "), 0U) << finished.err;
    }

    void expect_whole_checkpoints() {
        if (!fs::exists(folder() / "run/checkpoints")) {
            return;
        }
        const std::size_t right = tensor_bytes_of(checkpoint("whole")).size();
        for (const fs::directory_entry& entry : fs::directory_iterator(folder() / "run/checkpoints")) {
            if (entry.path().extension() == ".safetensors") {
                EXPECT_EQ(tensor_bytes_of(entry.path()).size(), right) << entry.path();
            }
        }
    }

    // Replaces mpirun by the shell script `words`, in which $real is the real mpirun.
    void replace_mpirun(const std::string& words) {
        const fs::path script = write("bin/mpirun", "#!/bin/sh\nPATH=${PATH#*:}\nreal=$(command -v mpirun)\n" + words);
        fs::permissions(script, fs::perms::owner_all);
        process_options().environment["PATH"] = (folder() / "bin").string() + ":" + std::getenv("PATH");
    }

    // Trains with two processes, and calls `end` with their launcher and their pids.
    template <class End>
    Finished train_until(const std::string& checkpoints, End end) {
        HostProcess launcher(
            trained(2, "run", sets({"train.epochs=1000000", "schedule.use=\"constant\"", checkpoints})),
            process_options());
        EXPECT_TRUE(launcher.wait_for_error_text("epoch 5/"));
        const std::vector<pid_t> all = processes();
        EXPECT_EQ(all.size(), 2U);
        const auto since = Clock::now();
        end(launcher, all);
        const Finished finished = launcher.finish();
        EXPECT_LT(seconds_since(since), 10.0);
        EXPECT_TRUE(processes().empty());
        return finished;
    }

    // Expects the hashes of all epochs but at most one, whose samples from the lost process are not known. Events of
    // epochs after the last checkpoint stay in the file.
    void expect_hashes_of(const std::string& whole) {
        const auto right = epoch_hashes(whole);
        auto found = epoch_hashes("run");
        std::erase_if(found, [&](const auto& epoch) { return epoch.first > static_cast<int>(right.size()); });
        EXPECT_TRUE(std::ranges::includes(right, found))
            << whole << ": " << testing::PrintToString(found) << ", expected " << testing::PrintToString(right);
        EXPECT_GE(found.size() + 1, right.size());
    }

private:
    std::vector<std::string> cut_;
};

TEST_F(LostProcesses, that_are_killed_are_named_and_left) { lose_one(SIGKILL, 4); }

TEST_F(LostProcesses, that_stop_are_named_and_left) { lose_one(SIGSTOP, 3); }

TEST_F(LostProcesses, that_share_an_optimizer_are_named_and_left) { lose_one(SIGKILL, 1, "true"); }

// A process is lost as soon as it exists.
TEST_F(LostProcesses, before_they_say_who_they_are_are_named_by_number) {
    for (const int signal : {SIGKILL, SIGSTOP}) {
        HostProcess launcher(trained(2, "run", sets({"train.epochs=100000"})), process_options());
        std::vector<pid_t> all;
        for (const auto start = Clock::now(); all.empty() && seconds_since(start) < 60.0;) {
            all = processes();
        }
        ASSERT_FALSE(all.empty());
        const auto since = Clock::now();
        const std::string number = number_of(all.front());
        ::kill(all.front(), signal);
        const Finished finished = launcher.finish();
        EXPECT_LT(seconds_since(since), 10.0);
        EXPECT_EQ(finished.exit, 7);
        expect_named(finished, all.front(), number);
        EXPECT_TRUE(processes().empty());
    }
}

TEST_F(LostProcesses, that_were_not_started_are_named_by_number) {
    replace_mpirun("shift 3\nexec \"$real\" --enable-recovery -n 1 \"$@\"\n");
    const Finished finished =
        host(launched(3, {"--patience", "2", "tiny.toml", "--run-folder", "run", "--set", "train.epochs=100000"}));
    EXPECT_EQ(finished.exit, 7);
    expect_contains(finished.err, {"process 1, 2 have not joined within 2 s of the others"});
    EXPECT_TRUE(processes().empty());
}

TEST_F(LostProcesses, that_have_reported_their_exit_are_not_waited_for) {
    replace_mpirun("\"$real\" \"$@\"\nexec sleep 1000\n");
    const auto start = Clock::now();
    const Finished finished = host(trained(2, "run", {}));
    EXPECT_LT(seconds_since(start), 30.0);
    EXPECT_EQ(finished.exit, 0) << finished.err;
    expect_contains(finished.err, {"all ranks have exited but mpirun is still running"});
}

// The first process, which would save, hangs in the update of the eleventh step. Its launcher still receives its
// heartbeat.
TEST_F(LostProcesses, that_hang_in_a_step_are_named_and_another_saves) {
    write_tiny({{"use = \"adam\"\nrate", "use = \"test_stalling\"\nlast = 11\nprocess = 0\nrate"},
                {"epochs = 2", "epochs = 100000"},
                {"every = \"1 epoch\"", "every = \"1000 epochs\""}});
    const Finished finished =
        host(trained(3, "run", joined({"--plugin", SLUICE_TEST_STALLING_DIR}, sets({"strategy.deadline=2"}))));
    EXPECT_EQ(finished.exit, 7) << finished.err;
    expect_contains(finished.err, {"process 0 on ", " did not join ", "did not exit in time and is killed",
                                   "the last checkpoint is run/checkpoints/last.safetensors"});
    EXPECT_EQ(metadata_of(checkpoint()).at("step"), "11") << finished.err;
    EXPECT_TRUE(processes().empty());
}

// mpirun itself prints the message.
TEST_F(LostProcesses, of_mpirun_leave_whole_checkpoints) {
    expect_success(host(trained(4, "whole", sets(kWhole))));
    std::string words = kTrain + " --run-folder run";
    for (const std::string& value : kWhole) {
        words += " --set '" + value + "'";
    }
    words += " --set train.epochs=100000";
    std::thread killer([this] {
        for (int i = 0; i < 6000 && !fs::exists(checkpoint()); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(std::random_device{}() % 1000));
        const std::vector<pid_t> all = processes();
        ::kill(all.at(2), SIGKILL);
    });
    const int code = mpirun("-n 4 " + words);
    killer.join();
    EXPECT_NE(code, 0);
    std::string output = read_bytes(folder() / "out.txt");
    std::ranges::replace(output, '\n', ' ');  // Open MPI 5 may break lines within the words
    EXPECT_TRUE(output.find("exited on signal 9") != std::string::npos ||
                output.find("cannot be reached") != std::string::npos)
        << output;
    EXPECT_TRUE(processes().empty());
    expect_whole_checkpoints();
    const int saved = std::stoi(metadata_of(checkpoint()).at("step"));
    expect_success(host(launched(2, {"resume", "run", "--set", "train.steps=" + std::to_string(saved + 3)})));
}

// The second process is stopped before it initializes MPI.
TEST_F(LostProcesses, of_mpirun_that_do_not_come_are_named) {
    const auto start = Clock::now();
    EXPECT_NE(mpirun("-n 2 sh -c 'test $OMPI_COMM_WORLD_RANK = 0 || kill -STOP $$; exec " + kTrain +
                     " --set strategy.patience=2'"),
              0);
    EXPECT_LT(seconds_since(start), 30.0);
    expect_contains(read_bytes(folder() / "out.txt"), {"MPI could not be started within 2 s", "process 1 (pid ",
                                                       "on this machine is stopped or defunct"});
}

// The processes fail after they have joined each other.
TEST_F(LostProcesses, of_mpirun_that_fail_at_the_start_say_so_at_once) {
    const auto start = Clock::now();
    EXPECT_NE(mpirun("-n 2 " + kTrain + " --set data.batch=1"), 0);
    EXPECT_LT(seconds_since(start), 30.0);
    const std::string output = read_bytes(folder() / "out.txt");
    expect_contains(output, {"a batch of 1 sample cannot be shared by 2 replicas"});
}

// One process fails after the comparison of fingerprints, while the others wait for it.
TEST_F(LostProcesses, of_which_one_fails_at_the_start_leave_with_its_code) {
    write_tiny({{"use = \"adam\"\nrate", "use = \"test_stalling\"\nlast = 1000\nrate"}});
    write("file", "not a folder");
    struct Failure {
        std::vector<std::string> words;
        int exit;
        std::string output;
    };
    for (const Failure& failure :
         {Failure{sets({"optimizer.refuses=0"}), 4, "this process refuses"},
          Failure{sets({"optimizer.refuses=2"}), 4, "this process refuses"},
          Failure{{"--run-folder", "file/run"}, 8, "file/run: cannot make the run's folder: Not a directory"}}) {
        const auto words = joined({"--plugin", SLUICE_TEST_STALLING_DIR}, failure.words);
        auto start = Clock::now();
        expect_refused(host(launched(3, joined({"tiny.toml"}, words))), failure.exit, {failure.output});
        EXPECT_LT(seconds_since(start), 20.0);
        std::string line = "-n 3 " + kTrain;
        for (const std::string& word : words) {
            line += " " + word;
        }
        start = Clock::now();
        EXPECT_EQ(WEXITSTATUS(mpirun(line)), failure.exit);
        EXPECT_LT(seconds_since(start), 20.0);
        const std::string output = read_bytes(folder() / "out.txt");
        EXPECT_EQ(count_of(output, "E "), 1U) << output;
        expect_contains(output, {failure.output});
        EXPECT_TRUE(processes().empty());
    }
}

// The replica fails at its first plan, or at the plan of evaluations when a run resumes from an older checkpoint.
TEST_F(LostProcesses, of_which_one_cannot_make_its_replica_change_nothing) {
    write_tiny({{"{ type = \"relu\" }", "{ type = \"relu\" }, { type = \"test_stall\" }"}});
    const std::vector<std::string> plugin{"--plugin", SLUICE_TEST_STALLING_DIR};
    ::setenv("SLUICE_TEST_REFUSED_KERNEL", "1.1", 1);
    expect_refused(host(launched(2, joined({"tiny.toml", "--run-folder", "other"}, plugin))), 4,
                   {"this kernel refuses"});
    EXPECT_EQ(WEXITSTATUS(mpirun("-n 2 " + kTrain + " --run-folder other " + plugin[0] + " " + plugin[1])), 4);
    const std::string output = read_bytes(folder() / "out.txt");
    EXPECT_EQ(count_of(output, "E "), 1U) << output;
    EXPECT_FALSE(fs::exists(folder() / "other"));

    ::unsetenv("SLUICE_TEST_REFUSED_KERNEL");
    expect_success(
        host(launched(2, joined({"tiny.toml", "--run-folder", "run"}, joined(plugin, sets({"checkpoint.keep=9"}))))));
    const auto files = [this] {
        std::map<std::string, std::string> all;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder() / "run")) {
            if (entry.is_regular_file()) {
                all[entry.path().string()] = read_bytes(entry.path());
            }
        }
        return all;
    };
    const auto before = files();
    const auto saved =
        std::ranges::find_if(before, [](const auto& file) { return file.first.find("/step-") != std::string::npos; });
    ASSERT_NE(saved, before.end());
    ::setenv("SLUICE_TEST_REFUSED_KERNEL", "1.2", 1);
    const Finished refused = host(launched(
        2, joined({"resume", "run", "--checkpoint", saved->first}, joined(plugin, sets({"optimizer.rate=0.5"})))));
    ::unsetenv("SLUICE_TEST_REFUSED_KERNEL");
    expect_refused(refused, 4, {"this kernel refuses"});
    EXPECT_TRUE(files() == before);
}

const std::string kSaveNothing = "checkpoint.every=\"1000000 epochs\"";

// The launcher is stopped for a while, so the processes continue and nobody reads their output.
TEST_F(LostProcesses, whose_mpirun_is_killed_save_and_leave) {
    const Finished finished = train_until(kSaveNothing, [](const HostProcess& launcher, const std::vector<pid_t>& all) {
        launcher.send(SIGSTOP);
        ::kill(parent_of(all.at(0)), SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        launcher.send(SIGCONT);
    });
    EXPECT_EQ(finished.exit, 7) << finished.err;
    expect_contains(finished.err, {"E mpirun was killed by signal 9", "run/checkpoints/last.safetensors"});
    ASSERT_TRUE(fs::exists(checkpoint())) << finished.err;
    EXPECT_GE(std::stoi(metadata_of(checkpoint()).at("step")), 20);
}

// mpirun asks the processes to exit, and kills them a second later.
TEST_F(LostProcesses, whose_mpirun_is_asked_to_end_save_and_stop) {
    const Finished finished = train_until(
        kSaveNothing, [](const HostProcess&, const std::vector<pid_t>& all) { ::kill(parent_of(all.at(0)), SIGTERM); });
    EXPECT_EQ(finished.exit, 143) << finished.err;
    EXPECT_EQ(count_of(finished.err, "exited unexpectedly"), 0U) << finished.err;
    expect_contains(finished.err, {"the last checkpoint is run/checkpoints/last.safetensors"});
    EXPECT_TRUE(fs::exists(checkpoint()));
}

// The launcher names the last checkpoint.
TEST_F(LostProcesses, of_which_none_is_left_have_a_checkpoint) {
    const Finished finished =
        train_until("checkpoint.every=\"1 epoch\"", [](const HostProcess&, const std::vector<pid_t>& all) {
            for (const pid_t pid : all) {
                ::kill(pid, SIGKILL);
            }
        });
    EXPECT_EQ(finished.exit, 7) << finished.err;
    expect_contains(finished.err, {"has exited unexpectedly", "E the last checkpoint is run/checkpoints/last"});
}

// The words are mpirun's, but the exit code is the launcher's.
TEST_F(LostProcesses, that_mpirun_does_not_start_are_reported_with_its_output) {
    for (const char* const way : {"OMPI_MCA_plm_rsh_agent", "PRTE_MCA_plm_ssh_agent"}) {
        process_options().environment[way] = "/bin/false";
    }
    const Finished unreached = host(launched(2, {"--host", "192.0.2.1", "tiny.toml"}));
    EXPECT_EQ(unreached.exit, 2) << unreached.err;
    expect_contains(unreached.err, {"E mpirun exited with code ",
                                    " before any of the 2 processes joined (--host 192.0.2.1); see its output above"});
    EXPECT_NE((unreached.out + unreached.err).find("daemon"), std::string::npos) << unreached.err;
    replace_mpirun("kill -KILL $$\n");
    expect_refused(host(launched(2, {"tiny.toml"})), 7,
                   {"mpirun was killed by signal 9 before any of the 2 processes joined"});
}

TEST_F(LostProcesses, that_are_asked_to_stop_save_once) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU}) {
        fs::remove_all(folder() / "run");
        HostProcess launcher(trained(2, "run", sets({"train.epochs=1000000", "schedule.use=\"constant\""})),
                             process_options());
        ASSERT_TRUE(launcher.wait_for_file(checkpoint()));
        launcher.send(signal);
        const Finished finished = launcher.finish();
        EXPECT_EQ(finished.exit, 128 + signal) << finished.err;
        EXPECT_EQ(count_of(finished.err, "stopped and saved at step"), 1U) << finished.err;
        EXPECT_TRUE(processes().empty());
    }
}

// Either process may report first that it has stopped.
TEST_F(LostProcesses, of_which_one_is_asked_to_stop_leave_with_the_code_of_its_signal) {
    for (const std::size_t rank : {0U, 1U, 0U, 1U}) {
        fs::remove_all(folder() / "run");
        const Finished finished = train_until(kSaveNothing, [rank](const HostProcess&, const std::vector<pid_t>& all) {
            const auto asked =
                std::ranges::find_if(all, [rank](pid_t pid) { return number_of(pid) == std::to_string(rank); });
            ASSERT_NE(asked, all.end());
            ::kill(*asked, SIGHUP);
        });
        EXPECT_EQ(finished.exit, 128 + SIGHUP) << finished.err;
        EXPECT_EQ(count_of(finished.err, "stopped and saved at step"), 1U) << finished.err;
        EXPECT_TRUE(fs::exists(checkpoint()));
    }
}

// The processes are asked while they wait for samples. The launcher's address is in no command line, because other
// users can read those.
TEST_F(LostProcesses, that_are_asked_twice_leave_at_once_and_are_not_blamed) {
    write_tiny(kSlowSamples);
    HostProcess launcher(trained(2, "run", {}), process_options());
    ASSERT_TRUE(launcher.wait_for_file(folder() / "run/batch_0.png"));
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
        EXPECT_EQ(text_of(entry.path() / "cmdline").find("SLUICE_LAUNCH="), std::string::npos);
    }
    launcher.send(SIGINT);
    ASSERT_TRUE(launcher.wait_for_error_text("once more to leave at once"));
    launcher.send(SIGINT);
    const Finished finished = launcher.finish();
    EXPECT_EQ(finished.exit, 130) << finished.err;
    EXPECT_EQ(count_of(finished.err, "(pid "), 0U) << finished.err;
    EXPECT_TRUE(processes().empty());
}

TEST_F(LostProcesses, are_none_of_those_that_are_started_wrongly) {
    const Finished quiet = host(launched(2, {"--quiet", "tiny.toml"}));
    expect_success(quiet);
    EXPECT_EQ(count_of(quiet.out + quiet.err, "epoch 1/2"), 0U);
    expect_success(host(launched(2, {"--pipeline", "tiny.toml"})));
    expect_success(host(launched(2, {"train", "tiny.toml"})));
    expect_success(host({"launch", "tiny.toml", "--run-folder", "run", "-n", "2", "--patience=60", "--steps", "2"}));
    EXPECT_EQ(metadata_of(checkpoint()).at("step"), "2");
    expect_success(host({"launch", "resume", "run", "-n2", "--set", "train.steps=3"}));
    EXPECT_EQ(metadata_of(checkpoint()).at("step"), "3");
    expect_refused(host(launched(2, {"plan", "tiny.toml"})), 2, {"starts only", "plan runs in one process"});
    expect_refused(host(launched(2, {"--patience", "0", "tiny.toml"})), 2, {"--patience 0", "more than 0 seconds"});
}

using SlowLostProcesses = LostProcesses;

TEST_F(SlowLostProcesses, that_are_killed_are_named_and_left) { lose_one(SIGKILL, 20); }

TEST_F(SlowLostProcesses, that_stop_are_named_and_left) { lose_one(SIGSTOP, 20); }

TEST_F(SlowLostProcesses, that_share_an_optimizer_are_named_and_left) { lose_one(SIGKILL, 20, "true"); }

TEST_F(SlowLostProcesses, that_share_an_optimizer_and_stop_are_named_and_left) { lose_one(SIGSTOP, 20, "true"); }

}  // namespace
}  // namespace sluice::test
