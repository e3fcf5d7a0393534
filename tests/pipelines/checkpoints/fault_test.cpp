// Writes that fail, or are cut off by a kill, at the moments that matter: `best`, tables and logs stay correct.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

namespace fs = std::filesystem;

class Fault : public PipelineTest {
protected:
    void SetUp() override { write_tiny(); }
    // `fault` has the form of SLUICE_TEST_FAULT in failing_files.cpp.
    [[nodiscard]] Finished host_with(const std::string& fault, const std::vector<std::string>& arguments) {
        ProcessOptions faulty = process_options();
        faulty.environment["LD_PRELOAD"] = SLUICE_TEST_FAILING_FILES;
        faulty.environment["SLUICE_TEST_FAULT"] = fault;
        return HostProcess(arguments, faulty).finish();
    }
    // Expects that `best` has the weights that were evaluated as best, and their score.
    void expect_best_is_right(const std::string& run) const {
        const auto metadata = metadata_of(checkpoint(run, "best"));
        EXPECT_EQ(metadata.at("best_step"), metadata.at("step"));
        EXPECT_NEAR(scores(checkpoint(run, "best")).at("psnr"), std::stod(metadata.at("best")), 1e-4);
        EXPECT_EQ(metadata_of(checkpoint(run)).at("best_step"), metadata.at("step"));
    }
    // Expects one whole row, one evaluation and one sheet for each epoch, the picture of the first batch, and each
    // event once. `is_saved`: it also expects the event of a checkpoint for each epoch.
    void expect_epochs_are_whole(const std::string& run, int epochs, bool is_evaluated = true,
                                 bool is_saved = true) const {
        const std::vector<std::string> rows = lines_of(read_bytes(folder() / run / "metrics.csv"));
        ASSERT_EQ(rows.size(), static_cast<std::size_t>(epochs + 1)) << read_bytes(folder() / run / "metrics.csv");
        const std::string events = read_bytes(folder() / run / "events.jsonl");
        EXPECT_TRUE(events.starts_with("{\"kind\":\"run_begin\"")) << events;
        EXPECT_NE(events.find("{\"kind\":\"run_end\""), std::string::npos) << events;
        for (const std::string& line : lines_of(events)) {
            EXPECT_TRUE(line.starts_with("{\"kind\":\"") && line.ends_with("}}")) << line;
        }
        EXPECT_TRUE(fs::exists(folder() / run / "batch_0.png"));
        for (int epoch = 1; epoch <= epochs; ++epoch) {
            const std::string& row = rows[static_cast<std::size_t>(epoch)];
            EXPECT_TRUE(row.starts_with(std::to_string(epoch) + "," + std::to_string(4 * epoch) + ",")) << row;
            EXPECT_EQ(row.find(",,"), std::string::npos) << row;
            EXPECT_NE(row.back(), ',') << row;
            const std::string of_epoch = "\",\"epoch\":" + std::to_string(epoch) + ",";
            EXPECT_EQ(count_of(events, "{\"kind\":\"epoch_end" + of_epoch), 1U) << events;
            if (is_saved) {
                EXPECT_NE(events.find("{\"kind\":\"checkpoint" + of_epoch), std::string::npos) << events;
            }
            if (is_evaluated) {
                EXPECT_EQ(count_of(events, "{\"kind\":\"evaluation" + of_epoch), 1U) << events;
                EXPECT_TRUE(fs::exists(folder() / run / ("samples/epoch_00" + std::to_string(epoch) + ".png")));
            }
        }
        for (const auto& entry : fs::directory_iterator(folder() / run / "checkpoints")) {
            const std::string name = entry.path().filename();
            if (name.starts_with("step-")) {
                EXPECT_NE(events.find(name + "\","), std::string::npos) << name << "\n" << events;
            }
        }
    }
    void expect_nothing_unfinished(const std::string& run) const {
        for (const auto& entry : fs::recursive_directory_iterator(folder() / run)) {
            EXPECT_TRUE(entry.path().extension() != ".writing" && entry.path().extension() != ".part") << entry.path();
        }
    }
    // Expects `keep` numbered checkpoints.
    void expect_kept(const std::string& run, int keep) const {
        int found = 0;
        for (const auto& entry : fs::directory_iterator(folder() / run / "checkpoints")) {
            found += entry.path().filename().string().starts_with("step-") ? 1 : 0;
        }
        EXPECT_EQ(found, keep);
    }
    const std::vector<std::string> train_{"train", "tiny.toml", "--run-folder", "run"};
};

// Each kill comes at another moment of the first epoch's end: while files are written, or between a file's two names.
TEST_F(Fault, killed_at_any_moment_of_saving_leaves_a_run_that_goes_on_to_whole_epochs) {
    for (const char* const kill : {"rename 1 1 kill /step-", "rename 1 1 after /step-", "link 1 1 after last.",
                                   "rename 1 1 kill last.", "rename 1 1 after last.", "link 1 1 after best.",
                                   "rename 1 1 kill best.", "rename 1 1 after best.", "write 2 1 kill metrics.csv"}) {
        fs::remove_all(folder() / "run");
        EXPECT_EQ(host_with(kill, train_).signal, SIGKILL) << kill;
        const bool is_named = fs::exists(checkpoint());
        if (!is_named && !fs::exists(checkpoint("run", "step-00000004"))) {
            continue;
        }
        SCOPED_TRACE(kill);
        const Finished resumed = host({"resume", "run"});
        expect_success(resumed);
        EXPECT_EQ(count_of(resumed.err,
                           "W run/checkpoints/last.safetensors is missing; the run resumes from "
                           "step-00000004.safetensors, the newest whole checkpoint\n"),
                  is_named ? 0U : 1U)
            << resumed.err;
        EXPECT_EQ(metadata_of(checkpoint()).at("step"), "8");
        if (std::string_view(kill).ends_with("after /step-")) {
            continue;  // the observers may not have written the epoch yet
        }
        expect_epochs_are_whole("run", 2);
        expect_best_is_right("run");
        expect_nothing_unfinished("run");
    }
}

TEST_F(Fault, killed_after_an_epoch_without_validation_leaves_its_row) {
    write_tiny({kWithoutValidation});
    EXPECT_EQ(host_with("rename 1 1 after last.", train_).signal, SIGKILL);
    expect_success(host({"resume", "run"}));
    expect_epochs_are_whole("run", 2, false);
}

// The first save after a best evaluation fails, and the weights that are saved next were not evaluated.
TEST_F(Fault, of_a_save_never_makes_other_weights_the_best) {
    write_tiny({{"epochs = 2", "epochs = 3"}});
    for (const char* const failure : {"fsync 1 1 28 /step-", "fsync 2 1 28 /step-", "rename 1 1 28 best.",
                                      "rename 2 1 28 best.", "rename 2 1 28 last."}) {
        fs::remove_all(folder() / "run");
        SCOPED_TRACE(failure);
        const Finished finished = host_with(failure, train_);
        expect_success(finished);
        EXPECT_EQ(count_of(finished.err, "; training continues and tries again"), 1U) << finished.err;
        EXPECT_EQ(count_of(finished.err, " is saved again; the best weights, of step "), 1U) << finished.err;
        expect_best_is_right("run");
        expect_nothing_unfinished("run");
    }
}

// In the first run, saves fail from the first evaluation until after the second; in the second run, the last save
// fails.
TEST_F(Fault, of_several_saves_names_the_best_weights_that_are_lost) {
    write_tiny({{"epochs = 2", "epochs = 3"}});
    const Finished finished = host_with("fsync 1 6 28 /step-", train_);
    expect_success(finished);
    EXPECT_EQ(count_of(finished.err, "\nE "), 2U) << finished.err;
    for (const char* const step : {"4", "8"}) {
        EXPECT_NE(finished.err.find("E step " + std::string(step) +
                                    " could not be saved, and its weights are the best so far (score "),
                  std::string::npos)
            << finished.err;
    }
    expect_contains(finished.err, {"W step 10 is saved again; the best weights, of step 4 (score ", "), step 8 (score ",
                                   "), are lost, and no checkpoint is the best until the next evaluation"});
    expect_best_is_right("run");
    fs::remove_all(folder() / "run");
    write_tiny();
    expect_refused(host_with("fsync 2 1 28 /step-", train_), 8,
                   {"step 8 could not be saved: ", "; the best weights, of step 8 (score ", "), are lost"});
    expect_best_is_right("run");
}

TEST_F(Fault, of_a_lost_best_checkpoint_is_a_warning_and_best_starts_anew) {
    train("run", {"--steps", "4"});
    for (const char* const name : {"best", "step-00000004"}) {
        fs::remove(checkpoint("run", name));
    }
    const std::string last = read_bytes(checkpoint());
    train("longer", {"--set", "train.epochs=3", "--steps", "8"});
    for (const char* const name : {"best", "step-00000004", "step-00000008"}) {
        fs::remove(checkpoint("longer", name));
    }
    const Finished resumed = host({"resume", "longer", "--set", "train.steps=12"});
    expect_success(resumed);
    expect_best_is_right("longer");
    const Finished repaired = host({"resume", "run", "--set", "train.steps=8"});
    expect_success(repaired);
    EXPECT_NE(repaired.err.find("best.safetensors is again the checkpoint of the best step"), std::string::npos)
        << repaired.err;
    expect_best_is_right("run");
}

// After one failing call the file is complete at once; after several in a row, a later event completes it.
TEST_F(Fault, of_tables_and_pictures_is_made_up_for) {
    train();
    const std::string header = lines_of(read_bytes(folder() / "run/metrics.csv")).front();
    for (const char* const failure :
         {"open 1 1 28 metrics.csv", "open 1 5 28 metrics.csv", "rename 1 1 28 events.jsonl",
          "rename 1 5 5 events.jsonl", "write 3 1 5 metrics.csv", "write 3 4 28 metrics.csv",
          "write 1 5 28 events.jsonl", "open 1 1 13 batch_0.png", "rename 1 4 28 batch_0.png", "mkdir 1 4 28 samples",
          "write 1 1 28 epoch_002", "rename 1 4 28 epoch_002"}) {
        SCOPED_TRACE(failure);
        fs::remove_all(folder() / "run");
        const Finished finished = host_with(failure, train_);
        expect_success(finished);
        EXPECT_EQ(count_of(finished.err, "\nE "), 0U) << finished.err;
        EXPECT_LE(count_of(finished.err, "\nW "), 1U) << finished.err;
        expect_epochs_are_whole("run", 2);
        expect_nothing_unfinished("run");
        EXPECT_TRUE(read_bytes(folder() / "run/metrics.csv").starts_with(header));
    }
}

TEST_F(Fault, of_tables_and_pictures_that_lasts_is_exit_code_8_and_loses_no_checkpoint) {
    for (const auto& [failure, file] :
         std::map<std::string, std::string>{{"open 1 1000 28 metrics.csv", "metrics.csv"},
                                            {"write 3 1000 28 metrics.csv", "metrics.csv"},
                                            {"rename 1 1000 28 events.jsonl", "events.jsonl"},
                                            {"write 6 1000 28 events.jsonl", "events.jsonl"},
                                            {"open 1 1000 28 epoch_002", "epoch_002.png"}}) {
        SCOPED_TRACE(failure);
        fs::remove_all(folder() / "run");
        expect_refused(host_with(failure, train_), 8,
                       {"could not write all of the run's files", file, "No space left"});
        EXPECT_EQ(metadata_of(checkpoint()).at("step"), "8");
        expect_best_is_right("run");
        expect_nothing_unfinished("run");
    }
}

// A read that fails during the resume loses no rows of the earlier run.
TEST_F(Fault, of_reading_the_tables_loses_no_rows_of_a_resumed_run) {
    for (const char* const failure : {"read 1 1 5 metrics.csv", "read 1 4 5 metrics.csv", "open 1 4 28 metrics.csv",
                                      "read 1 4 5 events.jsonl", "rename 1 4 28 events.jsonl"}) {
        SCOPED_TRACE(failure);
        fs::remove_all(folder() / "run");
        train("run", {"--steps", "4"});
        expect_success(host_with(failure, {"resume", "run", "--set", "train.steps=8"}));
        expect_epochs_are_whole("run", 2);
        expect_nothing_unfinished("run");
    }
}

TEST_F(Fault, of_emptying_a_file_leaves_nothing_unfinished) {
    expect_success(host_with("ftruncate 1 1 5 /step-", train_));
    expect_nothing_unfinished("run");
}

TEST_F(Fault, killed_after_the_last_save_keeps_no_more_than_asked_for) {
    write_tiny({{"epochs = 2", "epochs = 3"}, {"keep = 2", "keep = 1"}});
    EXPECT_EQ(host_with("rename 3 1 after last.", train_).signal, SIGKILL);
    expect_success(host({"resume", "run"}));
    expect_kept("run", 1);
    EXPECT_TRUE(fs::exists(checkpoint("run", "step-00000012")));
}

TEST_F(Fault, of_one_call_that_removes_old_checkpoints_is_made_up_for) {
    write_tiny({{"epochs = 2", "epochs = 3"}, {"keep = 2", "keep = 1"}});
    for (const char* const failure : {"unlink 2 1 13 /step-", "list 1 1 5 checkpoints", "list 2 1 5 checkpoints",
                                      "list 3 1 5 checkpoints", "list 4 1 5 checkpoints"}) {
        SCOPED_TRACE(failure);
        fs::remove_all(folder() / "run");
        expect_success(host_with(failure, train_));
        expect_kept("run", 1);
    }
}

TEST_F(Fault, of_removing_old_checkpoints_is_warned_of_once) {
    write_tiny({{"epochs = 2", "epochs = 5"}, {"keep = 2", "keep = 1"}});
    const Finished finished = host_with("unlink 1 100 13 /step-", train_);
    expect_success(finished);
    EXPECT_EQ(count_of(finished.err, "cannot be removed: Permission denied"), 1U) << finished.err;
}

// An epoch has one step, so an evaluation is due whenever the run is stopped.
TEST_F(Fault, stopped_before_an_evaluation_leaves_one_row_for_the_epoch) {
    write_tiny({{"count = 16", "count = 4"}, {"epochs = 2", "epochs = 100000"}});
    HostProcess process(train_, process_options());
    ASSERT_TRUE(process.wait_for_file(checkpoint()));
    process.send(SIGINT);
    EXPECT_EQ(process.finish().exit, 130);
    const int step = std::stoi(metadata_of(checkpoint()).at("step"));
    expect_success(host({"resume", "run", "--set", "train.steps=" + std::to_string(step + 2)}));
    const std::vector<std::string> rows = lines_of(read_bytes(folder() / "run/metrics.csv"));
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(step + 3));
    for (const std::string& row : rows) {
        EXPECT_EQ(row.find(",,"), std::string::npos) << row;
        EXPECT_NE(row.back(), ',') << row;
    }
}

// Each call by which a command writes or reads fails once. The command never crashes, and exit code 0 means that its
// output is complete.
class SlowFault : public Fault {
protected:
    // Trains tiny.toml with a tuning cache that holds no measured choice. If that cache cannot be read, the host then
    // chooses the same kernels without it.
    void train_without_measuring() {
        process_options().environment["XDG_CACHE_HOME"] = folder() / "cache";
        train("run", {"--set", "device.measure=false"});
    }

    // `is_whole` checks the output of a command that succeeded.
    void sweep(const std::vector<std::string>& arguments, const std::string& made,
               const std::function<void(const Finished&)>& is_whole) {
        for (const std::string call :
             {"open", "read", "list", "write", "fsync", "ftruncate", "rename", "link", "unlink", "mkdir"}) {
            const fs::path counted = folder() / "count";
            // Calls with a path mostly get one relative to the working folder, which does not contain the folder's
            // name.
            const std::string part = call == "write" || call.starts_with("f") ? folder().string() : "";
            process_options().environment["SLUICE_TEST_FAULT_COUNT"] = counted;
            fs::remove_all(folder() / made);
            expect_success(host_with(call + " 0 0 0 " + part, arguments));
            const long count = std::stol(read_bytes(counted));
            process_options().environment.erase("SLUICE_TEST_FAULT_COUNT");
            for (long number = 1; number <= count; ++number) {
                for (const int error : {ENOSPC, EIO, EACCES}) {
                    const std::string fault =
                        call + " " + std::to_string(number) + " 1 " + std::to_string(error) + " " + part;
                    SCOPED_TRACE(arguments.front() + ": " + fault);
                    fs::remove_all(folder() / made);
                    const Finished finished = host_with(fault, arguments);
                    EXPECT_EQ(finished.signal, 0) << finished.err;
                    EXPECT_NE(finished.exit, 1) << finished.err;
                    EXPECT_EQ(finished.err.find("unexpected"), std::string::npos) << finished.err;
                    if (finished.exit == 0) {
                        is_whole(finished);
                    } else {
                        EXPECT_NE(finished.err.find("E "), std::string::npos) << finished.err;
                    }
                }
            }
        }
    }
};

TEST_F(SlowFault, of_any_call_of_a_training_is_named_or_harmless) {
    write_tiny({{"keep = 2", "keep = 1"}});
    sweep(train_, "run", [this](const Finished& finished) {
        expect_best_is_right("run");
        const bool is_saved = finished.err.find("could not be saved") == std::string::npos;  // else one step later
        expect_epochs_are_whole("run", 2, true, is_saved);
        expect_kept("run", 1);
        expect_nothing_unfinished("run");
    });
}

TEST_F(SlowFault, of_any_call_of_an_evaluation_is_named_or_harmless) {
    train_without_measuring();
    const std::vector<std::string> words{"evaluate", checkpoint(), "--json", "--set", "device.measure=false"};
    const std::string usual = host(words).out;
    const double loss = nlohmann::json::parse(usual).at("loss");
    sweep(words, "none", [&](const Finished& finished) {
        // If the plugin of the fast kernels cannot be read, the log says so, and the reference computes.
        if (finished.err.find("sluice_onednn.so: cannot be read") != std::string::npos) {
            EXPECT_NEAR(nlohmann::json::parse(finished.out).at("loss").get<double>(), loss, 1e-5 * loss);
        } else {
            EXPECT_EQ(finished.out, usual);
        }
    });
}

TEST_F(SlowFault, of_any_call_of_a_prediction_is_named_or_harmless) {
    train_without_measuring();
    for (const char* const name : {"photos/a.png", "photos/b/c.png"}) {
        write(name, png_of(make_picture(20, 20)));
    }
    const std::vector<std::string> words{"predict",  checkpoint(), "--input", "photos",
                                         "--output", "out",        "--set",   "device.measure=false"};
    expect_success(host(words));
    const std::string first = read_bytes(folder() / "out/a.png");
    const std::string second = read_bytes(folder() / "out/b/c.png");
    sweep(words, "out", [&](const Finished&) {
        EXPECT_EQ(read_bytes(folder() / "out/a.png"), first);
        EXPECT_EQ(read_bytes(folder() / "out/b/c.png"), second);
    });
}

TEST_F(SlowFault, of_any_call_of_preparing_is_named_or_harmless) {
    const std::vector<std::string> words{"prepare", "tiny.toml", "--out", "prepared"};
    const auto made = [this] {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::directory_iterator(folder() / "prepared")) {
            files[entry.path().filename()] = read_bytes(entry.path());
        }
        return files;
    };
    expect_success(host(words));
    const auto usual = made();
    sweep(words, "prepared", [&](const Finished&) { EXPECT_EQ(made(), usual); });
}

}  // namespace
}  // namespace sluice::test
