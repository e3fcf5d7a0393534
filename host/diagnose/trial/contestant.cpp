#include "diagnose/trial/contestant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "diagnose/trial/machine_time.hpp"
#include "diagnose/trial/process_stat.hpp"

namespace sluice::diagnose {
namespace {

constexpr double kPoll = 0.02;   // seconds
constexpr double kEnding = 5.0;  // seconds that a training may take to save and exit

void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

bool ends_step(const run::StepLogEntry& entry) { return entry.step > 0; }

}  // namespace

Contestant::Contestant(ContestantRequest request) : request_(std::move(request)), process_(request_.process) {}

Contestant::~Contestant() {
    process_.finish(request_.is_launched ? kEnding : 0.0);
    std::error_code none;
    for (const std::filesystem::path& folder : request_.scratch) {
        std::filesystem::remove_all(folder, none);
    }
}

std::string Contestant::failure() const {
    std::string error = process_.error();
    if (!error.empty()) {
        return error;
    }
    return process_.code() < 0 ? "the training was killed; the machine may have run out of memory"
                               : fmt::format("the training exited with code {}", process_.code());
}

Exit Contestant::exit() const {
    const int code = process_.code();
    const bool is_known = code >= static_cast<int>(Exit::config) && code <= static_cast<int>(Exit::worse);
    return is_known ? static_cast<Exit>(code) : Exit::config;
}

const std::vector<run::StepLogEntry>& Contestant::entries() {
    for (const run::StepLogEntry& entry :
         run::read_step_log(run::step_log_file(request_.measures, 0), entries_.size())) {
        entries_.push_back(entry);
    }
    return entries_;
}

std::string Contestant::warm_up(const WarmUp& wanted, const std::function<bool()>& stops) {
    double last = now();
    std::size_t known = 0;
    while (true) {
        if (process_.has_exited()) {
            return failure();
        }
        const auto& all = entries();
        const auto done = std::ranges::count_if(all, ends_step);
        const auto first = std::ranges::find_if(all, ends_step);
        if (static_cast<double>(done) >= wanted.steps && now() - first->end >= wanted.seconds) {
            break;
        }
        if (all.size() > known) {
            known = all.size();
            last = now();
        }
        if (stops()) {
            return "it was stopped";
        }
        if (now() - last > wanted.longest_silence) {
            return fmt::format("no step in {:.0f} s", wanted.longest_silence);
        }
        if (now() > wanted.until) {
            return "the budget was over before it was warm";
        }
        sleep_for(kPoll);
    }
    process_.pause();
    warm_until_ = now();
    return {};
}

bool Contestant::take_turn(double seconds, const std::function<bool()>& stops) {
    const MachineTime machine = read_machine_time();
    const double own = own_seconds(process_.id(), request_.is_launched);
    Turn turn{.begin = now()};
    process_.go_on();
    constexpr double kPiece = 0.25;  // seconds
    for (double left = seconds; left > 0.0 && !stops(); left = turn.begin + seconds - now()) {
        sleep_for(std::min(left, kPiece));
    }
    process_.pause();
    turn.end = now();
    const MachineTime after = read_machine_time();
    const double others = after.busy - machine.busy - (own_seconds(process_.id(), request_.is_launched) - own);
    turn.others = std::max(0.0, others) / std::max(after.all - machine.all, 1e-3);
    turns_.push_back(turn);
    return !process_.has_exited();
}

void Contestant::finish() { process_.finish(kEnding); }

double Contestant::step_seconds() const {
    // The first two steps prepare the network and its kernels.
    constexpr std::ptrdiff_t kLeftOut = 2;
    std::vector<run::StepLogEntry> steps;
    std::ranges::copy_if(entries_, std::back_inserter(steps), ends_step);
    if (std::ssize(steps) <= kLeftOut) {
        return steps.empty() ? 0.0 : steps.back().total();
    }
    return (steps.back().end - steps[kLeftOut - 1].end) / static_cast<double>(std::ssize(steps) - kLeftOut);
}

// The warm-up counts as a turn, since a step that it began may end in the first real one.
Work Contestant::work() {
    std::vector<Turn> all{{.begin = 0.0, .end = warm_until_}};
    all.insert(all.end(), turns_.begin(), turns_.end());
    Work work = work_of(all, entries());
    work.turns.erase(work.turns.begin());
    return work;
}

}  // namespace sluice::diagnose
