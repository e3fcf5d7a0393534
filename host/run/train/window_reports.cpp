#include "run/train/window_reports.hpp"

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

#include "base/log.hpp"
#include "profile/stage_clock.hpp"
#include "run/train/recorded_window.hpp"

namespace sluice::run {

void WindowReports::report(const Progress& progress) {
    const std::optional<ProfileWindows::Recorded> recorded = account_.windows().take();
    const std::optional<profile::RecordingCost> cost = account_.windows().take_cost();
    if (!recorded && !cost) {
        return;
    }
    const StepAccount::PhaseScope phase(account_, Phase::profiling);
    const profile::StageScope stage(profile::Stage::storage);
    try {
        write(recorded, cost, progress);
    } catch (const std::exception& error) {
        log::warn(fmt::format("a recorded window was lost: {}", error.what()));
    }
}

void WindowReports::write(const std::optional<ProfileWindows::Recorded>& recorded,
                          const std::optional<profile::RecordingCost>& cost, const Progress& progress) {
    profile::Window window = recorded ? make_window(*recorded, window_place(replicas_)) : profile::Window(*last_);
    window.cost = cost ? cost : window.cost;
    last_ = std::make_shared<const profile::Window>(std::move(window));
    if (recorded) {
        events_.emit_profile(last_, progress);
    }
    write_window(window_file(events_.folder(), *last_), *last_);
    if (replicas_.processes().is_first()) {
        log::info(recorded ? describe_window(*last_, events_.folder()) : "recording " + profile::describe(*cost));
    }
}

void WindowReports::warn_of_missed() {
    const std::string missed = account_.windows().missed();
    if (!missed.empty() && replicas_.processes().is_first()) {
        log::warn(missed);
    }
}

}  // namespace sluice::run
