#include "diagnose/trial/laboratory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "config/pipeline_text.hpp"
#include "data/cache/cache_links.hpp"
#include "diagnose/trial/data_files.hpp"
#include "profile/window_files.hpp"
#include "run/checkpoint/checkpoint_folder.hpp"
#include "run/train/profile_windows.hpp"

namespace sluice::diagnose {
namespace {

constexpr double kWarmSteps = 5.0;
constexpr double kWarmSeconds = 0.7;
constexpr double kLaunchedWarmSteps = 20.0;  // several processes measure the sizes of buckets first
constexpr double kLongestSilence = 180.0;    // seconds without a step, after which a training is given up
constexpr double kShortestTurn = 0.15;       // seconds
constexpr double kLongestTurn = 4.0;
constexpr double kStepsOfTurn = 1.0;
constexpr std::size_t kFewestRounds = 8;
constexpr std::size_t kRoundsOfHint = 5;

// A training must not end by itself while it is measured, and must not take its pauses for faults.
const std::vector<std::string>& endless() {
    static const std::vector<std::string> sets{"train.epochs=1000000", "train.steps=1000000000", "data.stall_seconds=0",
                                               "strategy.deadline=0"};
    return sets;
}

// A gain that is too small for advice needs no narrow interval. Nobody changes what is learnt for a small gain.
bool is_decided(const Variant& variant, const Ratio& ratio) {
    if (variant.is_hint) {
        return ratio.rounds >= kRoundsOfHint;
    }
    const double small = variant.change == ChangeClass::other_results ? 0.1 : 0.05;
    return ratio.rounds >= kFewestRounds && (ratio.is_sure() || ratio.most_gain() < small);
}

// The evaluations of a training so far.
struct Evaluations {
    std::size_t whole = 0;
    Laboratory::Evaluated last{};  // the last whole one; if there is none, the time since the last step
};

Evaluations evaluations_in(const std::vector<run::StepLogEntry>& entries) {
    Evaluations found;
    Laboratory::Evaluated current;
    bool is_evaluating = false;
    for (const run::StepLogEntry& entry : entries) {
        if (entry.of() == run::Phase::evaluation) {
            is_evaluating = true;
            current.seconds += entry.total();
            current.input += entry.seconds[static_cast<std::size_t>(profile::Stage::read)] +
                             entry.seconds[static_cast<std::size_t>(profile::Stage::preprocess)];
        } else if (is_evaluating) {
            is_evaluating = false;
            ++found.whole;
            found.last = std::exchange(current, {});
        }
    }
    if (found.whole == 0 && !entries.empty()) {
        found.last = {.seconds = current.seconds + now() - entries.back().end, .input = current.input};
    }
    return found;
}

}  // namespace

Laboratory::Laboratory(const config::PipelineSpec& spec, LaboratoryRequest request)
    : spec_(spec), request_(std::move(request)), pipeline_(request_.folder / (spec.name + ".toml")) {
    write_file_atomically(pipeline_, config::to_pipeline_toml(spec.resolved, config::Origins::leave_out));
}

Laboratory::~Laboratory() = default;

void Laboratory::copy_checkpoint(const std::filesystem::path& run) const {
    std::error_code failed;
    const std::filesystem::path copy = run / "checkpoints" / run::kLastCheckpoint;
    std::filesystem::create_directories(copy.parent_path(), failed);
    if (!failed) {
        std::filesystem::copy_file(request_.checkpoint, copy, failed);
    }
    if (failed) {
        throw Error(Exit::save, fmt::format("{}: cannot be copied to {}: {}", request_.checkpoint.string(),
                                            copy.string(), failed.message()));
    }
}

std::unique_ptr<Contestant> Laboratory::start(const Variant& variant) {
    const std::string id = fmt::format("{:02}", started_++);
    const std::filesystem::path place = variant.is_in_memory ? memory_folder() : request_.folder;
    const std::filesystem::path run = place / (id + "-run");
    const std::filesystem::path measures = request_.folder / (id + "-measures");
    const std::filesystem::path caches = request_.folder / (id + "-caches");
    ProcessRequest process{.words = {request_.program.front()}, .output = request_.folder / (id + "-output.txt")};
    const bool is_launched = request_.processes > 1 && !variant.is_alone;
    if (is_launched) {
        process.words.insert(process.words.end(), {"launch", "-n", std::to_string(request_.processes)});
    }
    if (request_.checkpoint.empty() || variant.starts_anew) {
        process.words.insert(process.words.end(), {"train", pipeline_.string(), "--run-folder", run.string()});
    } else {
        copy_checkpoint(run);
        process.words.insert(process.words.end(), {"resume", run.string()});
    }
    process.words.insert(process.words.end(), {"--measure", measures.string()});
    process.words.insert(process.words.end(), request_.program.begin() + 1, request_.program.end());
    data::link_caches(spec_, caches);
    const std::vector<std::string> own_caches{fmt::format("what_if.cache_folder=\"{}\"", caches.string())};
    const std::array<const std::vector<std::string>*, 5> of_all{&endless(), &own_caches, &fixed_, &filling_,
                                                                &variant.sets};
    for (const std::vector<std::string>* const all : of_all) {
        for (const std::string& set : *all) {
            process.words.insert(process.words.end(), {"--set", set});
        }
    }
    request_.progress(fmt::format("starting {}", variant.name));
    if (variant.is_cold) {
        constexpr std::size_t kMostFiles = 100'000;
        drop_from_page_cache(data_files(spec_, kMostFiles));
    }
    auto training = std::make_unique<Contestant>(
        ContestantRequest{.process = process,
                          .measures = measures,
                          .samples = static_cast<double>(spec_.data.batch * spec_.train.accumulate) * variant.batch,
                          .is_launched = is_launched,
                          .scratch = {run, measures, caches}});
    sessions_.push_back(training->process().id());
    return training;
}

// Starts a training that is not compared. Throws its error, after `complaint`, if it does not run.
std::unique_ptr<Contestant> Laboratory::start_warm(const Variant& variant, const char* complaint) {
    auto training = start(variant);
    const std::string failure = training->warm_up(warm_up_of(*training, variant), request_.stops);
    if (!failure.empty()) {
        throw Error(is_stopped() ? Exit::signalled : training->exit(), complaint + failure);
    }
    return training;
}

// A folder in memory for runs whose storage costs nothing. It is removed with this object.
const std::filesystem::path& Laboratory::memory_folder() {
    if (!memory_folder_) {
        memory_folder_.emplace("/dev/shm", ".sluice-diagnose-");
    }
    return memory_folder_->path();
}

Laboratory::Watched Laboratory::watch(double seconds) {
    const std::string id = fmt::format("{:02}", started_);
    watched_ = start_warm({.name = "the training as it is", .what = {}, .sets = {}},
                          "the training cannot be diagnosed, since it does not run: ");
    Watched result{
        .run = request_.folder / (id + "-run"), .measures = request_.folder / (id + "-measures"), .began = now()};
    request_.progress(fmt::format("the training as it is, for {:.0f} s", seconds));
    watched_->take_turn(seconds, request_.stops);
    result.ended = now();
    record_window(*watched_, result.run);
    watched_->finish();
    return result;
}

Laboratory::Evaluated Laboratory::time_evaluation(double most) {
    constexpr double kPiece = 0.25;     // seconds
    constexpr std::size_t kEnough = 2;  // the first may fill caches
    const auto training =
        start_warm({.name = "a training that evaluates", .what = {}, .sets = {"evaluate.every=\"10 steps\""}},
                   "the training that evaluates stopped: ");
    request_.progress("timing an evaluation");
    const double end = now() + most;
    while (evaluations_in(training->entries()).whole < kEnough && now() < end &&
           training->take_turn(kPiece, request_.stops) && !is_stopped()) {
    }
    return evaluations_in(training->entries()).last;
}

void Laboratory::fill_caches(double samples, std::int64_t repeated) {
    filling_.clear();
    if (repeated > 0) {
        filling_.push_back(fmt::format("what_if.repeat_samples={}", repeated));
    }
    filling_samples_ = samples;
    baseline_.reset();
}

Contestant::WarmUp Laboratory::warm_up_of(const Contestant& training, const Variant& variant) const {
    // A training that resumes in the middle of an epoch meets some samples only in the next one.
    const double epochs = request_.checkpoint.empty() || variant.starts_anew ? 1.0 : 2.0;
    const double samples = epochs * std::max(variant.warm_samples, filling_samples_);
    const double steps = request_.processes > 1 && !variant.is_alone ? kLaunchedWarmSteps : kWarmSteps;
    return {.steps = steps + std::ceil(samples / training.samples()),
            .seconds = kWarmSeconds,
            .longest_silence = kLongestSilence};
}

void Laboratory::fix(std::vector<std::string> sets) {
    fixed_ = std::move(sets);
    baseline_.reset();
}

// Lets the training go on until it has recorded a window of a few steps: what each layer takes.
void Laboratory::record_window(Contestant& training, const std::filesystem::path& run) const {
    constexpr double kSteps = 6.0;
    constexpr double kPatience = 4.0;  // seconds more than the steps need
    constexpr double kPoll = 0.1;
    if (request_.stops()) {
        return;
    }
    request_.progress("recording a few steps");
    write_file_atomically(run / run::kProfileRequest, fmt::format("{:.0f}", kSteps));
    const double end = now() + kPatience + 2.0 * kSteps * training.step_seconds();
    while (profile::find_windows(run).empty() && now() < end && training.take_turn(kPoll, request_.stops)) {
    }
}

Contestant& Laboratory::baseline() {
    if (baseline_ == nullptr) {
        baseline_ = start_warm({.name = "the baseline", .what = {}, .sets = {}}, "the baseline stopped: ");
    }
    return *baseline_;
}

// A turn of the baseline and of each of these variants; in the other order, so that nobody is always the first after
// another.
void Laboratory::take_turns(Contestant& base, const std::vector<std::unique_ptr<Contestant>>& running,
                            const std::vector<std::size_t>& chosen, double seconds, bool is_reversed) const {
    std::vector<Contestant*> all{&base};
    for (const std::size_t i : chosen) {
        all.push_back(running[i].get());
    }
    if (is_reversed) {
        std::ranges::reverse(all);
    }
    for (Contestant* const one : all) {
        one->take_turn(seconds, request_.stops);
    }
}

// Starts the variants one after the other, and lets each of them run until it is warm. Notes why one cannot run.
std::vector<std::unique_ptr<Contestant>> Laboratory::start_all(std::vector<Result>& results, double until) {
    std::vector<std::unique_ptr<Contestant>> running;
    for (Result& result : results) {
        const double began = now();
        std::unique_ptr<Contestant> contestant;
        try {
            contestant = start(result.variant);
            Contestant::WarmUp wanted = warm_up_of(*contestant, result.variant);
            wanted.until = until;
            result.failure = contestant->warm_up(wanted, request_.stops);
        } catch (const Error& error) {  // such as no room in memory for a run's folder
            result.failure = error.what();
        }
        result.seconds = now() - began;
        running.push_back(result.failure.empty() ? std::move(contestant) : nullptr);
    }
    return running;
}

std::vector<Result> Laboratory::compare(const std::vector<Variant>& variants, const Effort& effort) {
    Contestant& base = baseline();
    const std::size_t before = base.turns().size();
    std::vector<Result> results;
    for (const Variant& variant : variants) {
        results.push_back({.variant = variant, .ratio = {}, .failure = {}, .seconds = 0.0});
    }
    const std::vector<std::unique_ptr<Contestant>> running = start_all(results, effort.until);
    double turn = std::max(shortest_turn_, kStepsOfTurn * base.step_seconds());
    // Variants leave as soon as they are decided, so that the others have more turns.
    std::vector<std::size_t> undecided;
    for (std::size_t i = 0; i < running.size(); ++i) {
        if (running[i] != nullptr) {
            undecided.push_back(i);
            turn = std::max(turn, kStepsOfTurn * running[i]->step_seconds());
        }
    }
    turn = std::clamp(turn, kShortestTurn, kLongestTurn);
    for (std::size_t round = 0; !undecided.empty() && !base.process().has_exited(); ++round) {
        request_.progress(fmt::format("round {}", round + 1));
        const double began = now();
        take_turns(base, running, undecided, turn, round % 2 == 1);
        Work base_work = base.work();
        base_work.turns.erase(base_work.turns.begin(), base_work.turns.begin() + static_cast<std::ptrdiff_t>(before));
        const double each = static_cast<double>(round + 1) * turn;
        const double share = (now() - began) / static_cast<double>(undecided.size());
        for (const std::size_t i : undecided) {
            results[i].seconds += share;
            results[i].ratio = ratio_of(running[i]->work(), running[i]->samples(), base_work, base.samples());
        }
        if (each >= effort.most || now() >= effort.until || request_.stops()) {
            break;
        }
        std::erase_if(undecided, [&](std::size_t i) {
            return each >= effort.seconds && is_decided(results[i].variant, results[i].ratio);
        });
    }
    note_exits(base, running, results);
    return results;
}

// A training that has exited did no more steps in its last turns, so its ratios mean nothing.
void Laboratory::note_exits(Contestant& base, const std::vector<std::unique_ptr<Contestant>>& running,
                            std::vector<Result>& results) {
    const bool is_base_gone = base.process().has_exited();
    for (std::size_t i = 0; i < running.size(); ++i) {
        if (running[i] != nullptr && (is_base_gone || running[i]->process().has_exited())) {
            results[i].failure = is_base_gone ? "the baseline stopped: " + base.failure() : running[i]->failure();
            results[i].ratio = {};
        }
    }
    if (is_base_gone) {
        baseline_.reset();
    }
}

}  // namespace sluice::diagnose
