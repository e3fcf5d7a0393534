// Running statistics of a step that is rolled back.
#include "run/network/step_rollback.hpp"

#include "unit/run/network/statistics_backup_test.hpp"

namespace sluice::test {
namespace {

class RunStepRollback : public StatisticsBackupTest {
protected:
    void expect_all(float value) const { EXPECT_EQ(values(), std::vector<float>(weights_.running_count(), value)); }
    [[nodiscard]] run::StepRollback rollback(bool is_wanted) const {
        return {bench_.tools.device, nullptr, weights_, is_wanted};
    }
};

TEST_F(RunStepRollback, an_unfinished_step_is_taken_back_once) {
    run::StepRollback rollback = this->rollback(true);
    set(1.0F);
    rollback.begin();
    rollback.take();
    set(2.0F);
    rollback.abandon();
    expect_all(1.0F);

    set(3.0F);
    rollback.abandon();
    expect_all(3.0F);

    rollback.begin();
    rollback.take();
    set(4.0F);
    rollback.end();
    rollback.abandon();
    expect_all(4.0F);
}

TEST_F(RunStepRollback, work_of_a_search_changes_nothing_if_steps_are_taken_back) {
    for (const bool is_wanted : {true, false}) {
        run::StepRollback rollback = this->rollback(is_wanted);
        set(1.0F);
        rollback.keep_over([&] { set(2.0F); });
        expect_all(is_wanted ? 1.0F : 2.0F);
        rollback.begin();
        rollback.take();
        set(3.0F);
        rollback.abandon();
        expect_all(is_wanted ? 1.0F : 3.0F);
    }
}

}  // namespace
}  // namespace sluice::test
