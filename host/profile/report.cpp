#include "profile/report.hpp"

#include <utility>

namespace sluice::profile {

WindowReport report_on(Window window, TableBy by) {
    WindowReport report;
    report.window = std::move(window);
    report.times = step_times(report.window);
    report.by = by;
    report.stages = operation_table(report.window, report.times, TableBy::stage);
    report.table = operation_table(report.window, report.times, by);
    report.idle = idle_split(report.window, report.times);
    report.path = critical_path(report.window, report.times);
    report.memory = memory_use(report.window);
    return report;
}

OtherRank other_rank(const Window& window) {
    const StepTimes times = step_times(window);
    return {window.rank, times.seconds_of_step(), longest_wait(times), {}};
}

}  // namespace sluice::profile
