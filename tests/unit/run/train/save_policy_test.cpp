// The checkpoints that a training saves, and the best of them.
#include "run/train/save_policy.hpp"

#include <gtest/gtest.h>

#include "run/checkpoint/checkpoint_folder.hpp"
#include "unit/folder_test.hpp"
#include "unit/plan_bench.hpp"
#include "unit/run/second_process.hpp"

namespace sluice::test {
namespace {

class RunSavePolicy : public FolderTest {
protected:
    void SetUp() override {
        FolderTest::SetUp();
        std::filesystem::create_directory("checkpoints");
    }
    run::SavePolicy make_saver(bool saves_rest = false) { return make_saver(processes_, saves_rest); }
    run::SavePolicy make_saver(const registry::Processes& processes, bool saves_rest) {
        return {bench_.spec, replicas_, processes, "checkpoints", events_, [saves_rest] { return saves_rest; }};
    }
    // Returns the progress after a step that was evaluated as the best so far.
    static run::Progress best_of(std::uint64_t step, double score) {
        run::Progress progress;
        progress.step = step;
        progress.best = score;
        progress.best_step = step;
        return progress;
    }
    static std::uint64_t step_of(const char* name) {
        return run::inspect_checkpoint(std::filesystem::path("checkpoints") / name).progress.step;
    }

    PlanBench bench_{{"checkpoint.every=\"100 steps\""}};
    run::ReplicaGroup replicas_{std::make_unique<run::Replica>(bench_.spec, bench_.tools, nullptr, bench_.fields, 2)};
    registry::Processes processes_;
    observe::Bus bus_{{}};
    run::RunEvents events_{bench_.spec, bus_, "run"};
};

TEST_F(RunSavePolicy, the_best_is_what_was_noted_before_the_save) {
    run::SavePolicy saver = make_saver();
    saver.begin({});
    run::Progress progress = best_of(1, 20.0);
    saver.note_best();
    EXPECT_TRUE(saver.is_due(progress));
    EXPECT_FALSE(saver.is_saved(progress));
    saver.save(progress, run::Saving::periodic);
    EXPECT_FALSE(saver.is_due(progress));
    EXPECT_TRUE(saver.is_saved(progress));
    progress.step = 2;
    saver.save(progress, run::Saving::final);
    EXPECT_EQ(step_of(run::kLastCheckpoint), 2U);
    EXPECT_EQ(step_of(run::kBestCheckpoint), 1U);
}

TEST_F(RunSavePolicy, a_best_that_was_not_saved_is_not_kept) {
    run::SavePolicy saver = make_saver();
    saver.begin({});
    run::Progress progress = best_of(1, 20.0);
    saver.note_best();
    saver.save(progress, run::Saving::periodic);
    progress = best_of(2, 30.0);
    saver.note_best();
    saver.drop_unsaved_best(progress);
    EXPECT_EQ(progress.best, 20.0);
    EXPECT_EQ(progress.best_step, 1U);
    progress.step = 3;
    saver.save(progress, run::Saving::final);
    EXPECT_EQ(step_of(run::kBestCheckpoint), 1U);
}

TEST_F(RunSavePolicy, a_best_of_other_samples_moves_away) {
    run::SavePolicy saver = make_saver();
    saver.begin({});
    run::Progress progress = best_of(1, 20.0);
    saver.note_best();
    saver.save(progress, run::Saving::periodic);
    testing::internal::CaptureStderr();
    saver.leave_best(0);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(step_of(run::kBestCheckpoint), 1U);
    testing::internal::CaptureStderr();
    saver.leave_best(1);
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_NE(log.find("of step 1, was measured"), std::string::npos) << log;
    EXPECT_FALSE(std::filesystem::exists("checkpoints/best.safetensors"));
    EXPECT_TRUE(std::filesystem::exists("checkpoints/left/best.safetensors"));
}

TEST_F(RunSavePolicy, nothing_is_saved_twice) {
    run::SavePolicy saver = make_saver(true);
    run::Progress progress;
    progress.step = 4;
    saver.begin(progress);
    EXPECT_FALSE(saver.may_save_alone(progress));
    EXPECT_FALSE(saver.take_over_if_asked(progress));  // step 4 is saved, and no other process was writing it
    ++progress.step;
    EXPECT_TRUE(saver.may_save_alone(progress));
    EXPECT_TRUE(saver.take_over_if_asked(progress));
}

TEST_F(RunSavePolicy, only_the_process_that_saves_the_rest_replaces_the_first_one) {
    const SecondProcess second;
    for (const bool saves_rest : {false, true}) {
        run::SavePolicy saver = make_saver(second.processes(), saves_rest);
        run::Progress progress;
        progress.step = 4;
        saver.begin(progress);
        progress.step = 8;
        saver.save(progress, run::Saving::periodic);  // by the first process, which may be lost before it is written
        EXPECT_TRUE(saver.is_saved(progress));
        EXPECT_EQ(saver.take_over_if_asked(progress), saves_rest);
        saver.save(progress, run::Saving::alone);
        EXPECT_EQ(std::filesystem::exists("checkpoints/last.safetensors"), saves_rest);
    }
}

}  // namespace
}  // namespace sluice::test
