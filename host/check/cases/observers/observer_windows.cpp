// Cases for recorded windows, which observers get with SLUICE_EVENT_PROFILE.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "base/files.hpp"
#include "check/cases/observers/observed_run.hpp"

namespace sluice::check {
namespace {

namespace fs = std::filesystem;

registry::Observer open_recorder(Trial& trial) {
    registry::Observer observer = open_observer(trial);
    if (!is_wanted(observer, SLUICE_EVENT_PROFILE)) {
        throw CaseSkipped("the observer does not want recorded windows");
    }
    return observer;
}

void send_well(Trial& trial, const registry::Observer& observer, const sluice_event& event, const std::string& what) {
    const std::string call = fmt::format("on_event() of kind {} {}", event.kind, what);
    trial.doing(call);
    const Answer answer = is_wanted(observer, event.kind) ? send(observer, event) : Answer{};
    expect(answer.status == SLUICE_OK, fmt::format("{} fails: {}", call, answer.message));
}

// After each call its window cannot be read any more, so an observer that keeps a pointer crashes at a later event.
void takes_windows(Trial& trial) {
    const registry::Observer observer = open_recorder(trial);
    ObservedRun run(run_folder(trial));
    send_well(trial, observer, run.event(SLUICE_EVENT_RUN_BEGIN, 0, 0, run.folder(), {}), "before the windows");
    for (const auto& [what, window] : {std::pair{"with spans of every kind", full_window()},
                                       std::pair{"with spans without names and kinds of a newer host", odd_window()},
                                       std::pair{"with a window in which nothing was recorded", empty_window()}}) {
        const LentWindow lent(window, 0);
        sluice_event event = run.event(SLUICE_EVENT_PROFILE, 1, window.last_step, "", {});
        event.profile = &lent.get();
        send_well(trial, observer, event, what);
    }
    send_well(trial, observer, run.event(SLUICE_EVENT_RUN_END, 1, 3, "finished", {}), "after the windows");
}

using Files = std::map<std::string, std::string>;  // bytes by path

Files read_files(const fs::path& folder) {
    Files files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) {
            files[entry.path().lexically_relative(folder).string()] = read_file(entry.path());
        }
    }
    return files;
}

// Returns the files that a run leaves in `folder`, which exists only meanwhile.
Files files_of_run(Trial& trial, const fs::path& folder, std::size_t more) {
    fs::create_directory(folder);
    {
        const registry::Observer observer = open_recorder(trial);
        ObservedRun run(folder.string(), more);
        run.visit([&](const sluice_event& event) {
            send_well(trial, observer, event,
                      more > 0 ? fmt::format("with elements of arrays that are {} bytes longer", more)
                               : "with elements of today's size");
        });
    }
    Files files = read_files(folder);
    fs::remove_all(folder);
    return files;
}

// Files that differ between equal runs, since they hold the time of day, are not compared.
void takes_windows_of_a_newer_host(Trial& trial) {
    constexpr std::size_t kMore = 24;
    const fs::path folder = trial.folder().path() / "run";
    const Files first = files_of_run(trial, folder, 0);
    const Files again = files_of_run(trial, folder, 0);
    const Files larger = files_of_run(trial, folder, kMore);
    for (const auto& [name, bytes] : first) {
        const auto repeated = again.find(name);
        if (repeated != again.end() && repeated->second == bytes) {
            const auto found = larger.find(name);
            expect(
                found != larger.end() && found->second == bytes,
                fmt::format("{} gets another content if elements of a window's arrays are {} bytes longer; span_size "
                            "and the like are the steps from one element to the next",
                            name, kMore));
        }
    }
}

constexpr Case kObserverWindowCases[] = {
    {"observer.windows",
     "Recorded windows are accepted, also odd and empty ones, and none is read after its call or past its arrays.",
     takes_windows},
    {"observer.window_sizes", "Larger elements of a newer host in a window's arrays change nothing.",
     takes_windows_of_a_newer_host},
};

}  // namespace

std::span<const Case> observer_window_cases() { return kObserverWindowCases; }

}  // namespace sluice::check
