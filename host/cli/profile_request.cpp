#include "cli/profile_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/program_name.hpp"
#include "base/signals/stop_handler.hpp"
#include "cli/terminal/progress_line.hpp"
#include "profile/window_files.hpp"
#include "profile/window_json.hpp"
#include "run/train/profile_windows.hpp"
#include "run/train/run_folder.hpp"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPollInterval{100};
constexpr double kLifeInterval = 0.5;    // seconds between two looks whether the run is alive
constexpr double kOtherRanksWait = 3.0;  // seconds for the files of other ranks, which may come later

// Withdraws the request at the end of a scope, if the run has not taken it.
class RequestFile {
public:
    RequestFile(fs::path path, std::int64_t steps) : path_(std::move(path)) {
        if (is_waiting()) {
            throw Error(Exit::config,
                        fmt::format("{}: another request waits; the run takes it within a second or after its current "
                                    "window. If it does not, remove the file",
                                    path_.string()));
        }
        write_file_atomically(path_, std::to_string(steps) + "\n");
    }
    ~RequestFile() {
        std::error_code taken;
        fs::remove(path_, taken);
    }
    RequestFile(const RequestFile&) = delete;
    RequestFile& operator=(const RequestFile&) = delete;

    [[nodiscard]] bool is_waiting() const {
        std::error_code error;
        return fs::exists(fs::symlink_status(path_, error));
    }

private:
    fs::path path_;
};

// Returns a file of rank 0 that was not there before, or was written again since.
std::optional<profile::WindowFile> find_new(const fs::path& run, const std::vector<profile::WindowFile>& before) {
    for (const profile::WindowFile& file : profile::find_windows(run)) {
        const bool was_there = std::ranges::any_of(before, [&](const profile::WindowFile& old) {
            return old.path == file.path && old.written == file.written;
        });
        if (file.rank == 0 && !was_there) {
            return file;
        }
    }
    return std::nullopt;
}

void wait_for_other_ranks(const WindowRequest& request, const profile::WindowFile& window, std::uint32_t ranks) {
    const double until = now() + kOtherRanksWait;
    while (now() < until && stop_signal() == 0 &&
           profile::other_ranks(profile::find_windows(request.run), window).size() + 1 < ranks) {
        std::this_thread::sleep_for(kPollInterval);
    }
}

}  // namespace

std::optional<fs::path> record_window(const WindowRequest& request) {
    const std::vector<profile::WindowFile> before = profile::find_windows(request.run);
    if (!run::RunFolder::is_alive(request.run)) {
        throw Error(
            Exit::config,
            fmt::format("{}: no run is alive in this folder, so that no steps can be recorded; {} shows what it "
                        "recorded before",
                        request.run.string(), typed("profile show " + request.run.string())));
    }
    catch_stop_signals("withdrawing the request");
    const RequestFile file(request.run / run::kProfileRequest, request.steps);
    log::info(fmt::format("asked the run in {} to record {}", request.run.string(), counted(request.steps, "step")));
    const ProgressLine line;
    const double start = now();
    double looked = start;
    while (stop_signal() == 0) {
        const bool is_waiting = file.is_waiting();
        const bool is_over = now() - looked >= kLifeInterval && !run::RunFolder::is_alive(request.run);
        looked = now() - looked >= kLifeInterval ? now() : looked;
        // The run may have written the window just before it ended, so that this is looked for last.
        if (const auto window = is_waiting ? std::nullopt : find_new(request.run, before)) {
            const std::string text = read_file(window->path);
            wait_for_other_ranks(request, *window, profile::parse_window(text, window->path.string()).ranks);
            return window->path;
        }
        if (is_over) {
            throw Error(Exit::config, fmt::format("{}: the run ended before it {}", request.run.string(),
                                                  is_waiting ? "took the request" : "had recorded the steps"));
        }
        if (request.timeout > 0.0 && now() - start >= request.timeout) {
            throw Error(Exit::config,
                        fmt::format("{}: no window after {} s: the run {}", request.run.string(), request.timeout,
                                    is_waiting ? "has not taken the request, since it is not in a step or "
                                                 "records other steps"
                                               : "still records"));
        }
        line.show(fmt::format("{} {}, {:.0f} s", is_waiting ? "waiting for the run to begin" : "recording",
                              counted(request.steps, "step"), now() - start));
        std::this_thread::sleep_for(kPollInterval);
    }
    return std::nullopt;
}

}  // namespace sluice::cli
