#include "cli/profile_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/program_name.hpp"
#include "base/signals/stop_handler.hpp"
#include "base/text/counted.hpp"
#include "cli/terminal/progress_line.hpp"
#include "history/run_lock.hpp"
#include "profile/window_files.hpp"
#include "profile/window_json.hpp"
#include "run/train/profile_windows.hpp"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPollInterval{10};
constexpr double kLifeInterval = 0.5;    // seconds between two looks whether the run is alive
constexpr double kOtherRanksWait = 3.0;  // seconds for the files of other ranks, which may come later
// Seconds for the cost of recording, which about as many steps after the window show.
constexpr double kCostWait = 2.0;
constexpr double kMostCostWait = 30.0;
constexpr std::int64_t kFewestWithCost = 5;  // steps of a window
// The run may be on another machine, whose clock differs by less than this.
constexpr std::int64_t kClockSkew = 1'000'000'000;
// Seconds in which a window replaces one that began just before the request, by the clock of its machine.
constexpr double kDoubtfulWait = 1.0;

std::int64_t unix_nanoseconds() {
    const auto time = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

class RequestFile {
public:
    RequestFile(fs::path path, std::int64_t steps) : path_(std::move(path)) {
        std::error_code error;
        const fs::file_status status = fs::symlink_status(path_, error);
        if (fs::exists(status) && !fs::is_regular_file(status)) {
            throw Error(Exit::config, fmt::format("{}: this is not a regular file, so that no request can be written; "
                                                  "remove it",
                                                  path_.string()));
        }
        if (fs::exists(status)) {
            throw Error(Exit::config,
                        fmt::format("{}: another request waits; the run takes it within a second or after its current "
                                    "window. If it does not, remove the file",
                                    path_.string()));
        }
        write_file_atomically(path_, std::to_string(steps) + "\n");
    }
    ~RequestFile() { withdraw(); }
    RequestFile(const RequestFile&) = delete;
    RequestFile& operator=(const RequestFile&) = delete;

    // Once the run has taken the request, a file of this name is another request.
    [[nodiscard]] bool is_waiting() {
        std::error_code error;
        waits_ = waits_ && fs::exists(fs::symlink_status(path_, error));
        return waits_;
    }
    // Returns false if the run has taken the request.
    bool withdraw() {
        std::error_code taken;
        return std::exchange(waits_, false) && fs::remove(path_, taken);
    }

private:
    fs::path path_;
    bool waits_ = true;
};

struct FoundWindow {
    profile::WindowFile file;
    std::int64_t began = 0;  // Unix time in nanoseconds
    std::uint32_t ranks = 1;
    double seconds = 0.0;
    bool has_cost = true;  // or it will never have one
};

// Returns nothing if the file is damaged or was removed.
std::optional<FoundWindow> read_found(const profile::WindowFile& file) {
    try {
        const profile::Window window = profile::parse_window(read_file(file.path), file.path.string());
        const bool waits_for_cost = !window.cost && window.last_step - window.first_step + 1 >= kFewestWithCost;
        return FoundWindow{file, static_cast<std::int64_t>(window.began_unix_ns), window.ranks, window.seconds,
                           !waits_for_cost};
    } catch (const Error&) {
        return std::nullopt;
    }
}

// Finds the window of rank 0 that a request asked for. The run rewrites the file of a window when it knows the
// cost of recording, so that a newer file may hold an older window.
class WindowSearch {
public:
    // Call it before the request is written.
    explicit WindowSearch(const fs::path& run) : run_(run) {
        const std::vector<profile::WindowFile> files = profile::find_windows(run_);
        for (const profile::WindowFile& file : files) {
            seen_[file.path] = file.written;
        }
        if (const profile::WindowFile* const newest = profile::newest_window(files)) {  // others are not rewritten
            if (const std::optional<FoundWindow> window = read_found(*newest)) {
                older_.insert(window->began);
            }
        }
        asked_ = unix_nanoseconds();
    }

    // The windows that are there now were recorded before the run took the request.
    void skip_present() {
        for (const FoundWindow& window : read_changed()) {
            older_.insert(window.began);
        }
    }
    // Returns the window that began last after the request. `is_last`: the run writes no other.
    [[nodiscard]] std::optional<FoundWindow> find(bool is_last) {
        for (FoundWindow& window : read_changed()) {
            const bool is_new = window.began >= asked_ - kClockSkew && !older_.contains(window.began);
            if (is_new && (!found_ || window.began >= found_->began)) {
                found_ = std::move(window);
                found_at_ = now();
            }
        }
        const bool is_certain = found_ && (found_->began >= asked_ || now() - found_at_ >= kDoubtfulWait);
        return is_certain || is_last ? found_ : std::nullopt;
    }

private:
    // Reads the files of rank 0 that are new or were written again since the last call.
    std::vector<FoundWindow> read_changed() {
        std::vector<FoundWindow> windows;
        for (const profile::WindowFile& file : profile::find_windows(run_)) {
            const auto seen = seen_.find(file.path);
            if (file.rank != 0 || (seen != seen_.end() && seen->second == file.written)) {
                continue;
            }
            seen_[file.path] = file.written;
            if (std::optional<FoundWindow> window = read_found(file)) {
                windows.push_back(*std::move(window));
            }
        }
        return windows;
    }

    fs::path run_;
    std::int64_t asked_ = 0;
    std::map<fs::path, fs::file_time_type> seen_;
    std::set<std::int64_t> older_;  // when windows began that are not the one
    std::optional<FoundWindow> found_;
    double found_at_ = 0.0;
};

void wait_for_other_ranks(const WindowRequest& request, const profile::WindowFile& window, std::uint32_t ranks) {
    const double until = now() + kOtherRanksWait;
    while (now() < until && stop_signal() == 0 &&
           profile::other_ranks(profile::find_windows(request.run), window).size() + 1 < ranks) {
        std::this_thread::sleep_for(kPollInterval);
    }
}

// The run writes the window again when it knows the cost.
void wait_for_cost(const WindowRequest& request, FoundWindow window) {
    const double until = now() + std::min(kCostWait + 2.0 * window.seconds, kMostCostWait);
    while (!window.has_cost && now() < until && stop_signal() == 0 && history::is_alive(request.run)) {
        std::this_thread::sleep_for(10 * kPollInterval);
        std::error_code error;
        if (const fs::file_time_type written = fs::last_write_time(window.file.path, error);
            !error && written != window.file.written) {
            window = read_found(window.file).value_or(window);
            window.file.written = written;
        }
    }
}

std::string taken_text(const fs::path& run) {
    return fmt::format(
        "the run has taken the request; it will write {}/steps-*.json when it has recorded the steps, "
        "and {} shows them then",
        (run / "profile").string(), typed("profile show " + run.string()));
}

std::string withdrawal_text(RequestFile& request, const fs::path& run) {
    return request.withdraw() ? "the request was withdrawn, since the run had not taken it: it was not in a step, or "
                                "recorded other steps"
                              : taken_text(run);
}

}  // namespace

std::optional<fs::path> record_window(const WindowRequest& request) {
    if (!history::is_alive(request.run)) {
        throw Error(
            Exit::config,
            fmt::format("{}: no run is alive in this folder, so that no steps can be recorded; {} shows what it "
                        "recorded before",
                        request.run.string(), typed("profile show " + request.run.string())));
    }
    catch_stop_signals("waiting no longer for the steps");
    WindowSearch search(request.run);
    RequestFile file(request.run / run::kProfileRequest, request.steps);
    log::info(fmt::format("asked the run in {} to record {}", request.run.string(), counted(request.steps, "step")));
    const ProgressLine line;
    const double start = now();
    double looked = start;
    while (stop_signal() == 0) {
        const bool is_waiting = file.is_waiting();
        const bool is_over = now() - looked >= kLifeInterval && !history::is_alive(request.run);
        looked = now() - looked >= kLifeInterval ? now() : looked;
        if (is_waiting) {
            search.skip_present();
        } else if (const auto window = search.find(is_over)) {  // after is_over: the run may end with its window
            wait_for_other_ranks(request, window->file, window->ranks);
            wait_for_cost(request, *window);
            return window->file.path;
        }
        if (is_over) {
            throw Error(Exit::config, fmt::format("{}: the run ended before it {}", request.run.string(),
                                                  is_waiting ? "took the request" : "had recorded the steps"));
        }
        if (request.timeout > 0.0 && now() - start >= request.timeout) {
            throw Error(Exit::config, fmt::format("{}: no window after {} s: {}", request.run.string(), request.timeout,
                                                  withdrawal_text(file, request.run)));
        }
        line.show(fmt::format("{} {}, {:.0f} s", is_waiting ? "waiting for the run to begin" : "recording",
                              counted(request.steps, "step"), now() - start));
        std::this_thread::sleep_for(kPollInterval);
    }
    log::info(withdrawal_text(file, request.run));
    return std::nullopt;
}

}  // namespace sluice::cli
