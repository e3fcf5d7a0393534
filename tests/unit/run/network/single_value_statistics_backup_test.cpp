// Running statistics of layers that normalise one value stay as they were.
#include "run/network/single_value_statistics_backup.hpp"

#include "unit/run/network/statistics_backup_test.hpp"

namespace sluice::test {
namespace {

class RunSingleValueStatisticsBackup : public StatisticsBackupTest {};

TEST_F(RunSingleValueStatisticsBackup, a_layer_of_one_value_keeps_its_statistics) {
    const run::SingleValueStatisticsBackup backup(bench_.tools.device, nullptr, weights_, plan_.graph);
    for (const bool is_one : {true, false}) {
        set(1.0F);
        backup.keep_over(is_one, true, [&] { set(2.0F); });
        const std::vector<float> found = values();
        const std::ptrdiff_t kept = is_one ? 2 * 8 : 0;  // mean and variance of 'pooled'
        EXPECT_EQ(std::ranges::count(found, 1.0F), kept);
        EXPECT_EQ(std::ranges::count(found, 2.0F), static_cast<std::ptrdiff_t>(found.size()) - kept);
    }
}

}  // namespace
}  // namespace sluice::test
