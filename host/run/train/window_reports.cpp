#include "run/train/window_reports.hpp"

#include <fmt/format.h>

#include <exception>
#include <string>
#include <system_error>
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
        update(recorded, cost, progress);
        write_later(!recorded);
    } catch (const std::exception& error) {
        log::warn(fmt::format("a recorded window was lost: {}", error.what()));
    }
}

void WindowReports::update(const std::optional<ProfileWindows::Recorded>& recorded,
                           const std::optional<profile::RecordingCost>& cost, const Progress& progress) {
    profile::Window window = recorded ? make_window(*recorded, window_place(replicas_)) : profile::Window(*last_);
    window.cost = cost ? cost : window.cost;
    last_ = std::make_shared<const profile::Window>(std::move(window));
    if (recorded) {
        events_.emit_profile(last_, progress);
    }
}

void WindowReports::write_later(bool logs_only_cost) {
    const auto write = [window = last_, folder = events_.folder(), logs_only_cost,
                        is_first = replicas_.processes().is_first()] {
        try {
            write_window(window_file(folder, *window), *window);
            if (is_first) {
                log::info(logs_only_cost ? "recording " + profile::describe(*window->cost)
                                         : describe_window(*window, folder));
            }
        } catch (const std::exception& error) {
            log::warn(fmt::format("a recorded window was lost: {}", error.what()));
        }
    };
    if (writer_.joinable()) {
        writer_.join();
    }
    try {
        writer_ = std::jthread(write);
    } catch (const std::system_error&) {  // the system has no thread left
        write();
    }
}

void WindowReports::finish() {
    if (writer_.joinable()) {
        const StepAccount::PhaseScope phase(account_, Phase::profiling);
        const profile::StageScope stage(profile::Stage::storage);
        writer_.join();
    }
    const std::string missed = account_.windows().missed();
    if (!missed.empty() && replicas_.processes().is_first()) {
        log::warn(missed);
    }
}

}  // namespace sluice::run
