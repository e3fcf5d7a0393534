#include "diagnose/tune/search.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace sluice::diagnose {
namespace {

constexpr double kFirstSeconds = 1.0;     // that each setting is measured in the first round; doubles with each halving
constexpr double kLastSeconds = 8.0;      // of the comparison with the pipeline as it was given
constexpr double kNoticeableGain = 0.01;  // of one setting over another, from which the search goes on with it
constexpr double kTolerance = 0.02;       // by which the tuned pipeline may seem slower
constexpr std::size_t kMostTogether = 3;  // changes that are combined in pairs

struct Candidate {
    Settings settings{};
    Ratio ratio{};
};

class Search {
public:
    Search(const std::vector<Knob>& knobs, const Variant& start, const MeasureFor& measure,
           const std::function<bool(std::size_t, double)>& has_time)
        : knobs_(knobs), start_(start), measure_(measure), has_time_(has_time) {}

    Tuned run() {
        Candidate best;
        if (!start_.sets.empty() && has_time_(1, kLastSeconds)) {
            std::vector<Candidate> only{best};
            measure_all(only, kLastSeconds);
            best = only.front();
        }
        while (std::optional<Candidate> next = halve(neighbours(best.settings), best)) {
            best = std::move(*next);
        }
        return finish(best);
    }

private:
    // The settings that differ in one knob, and those that differ in two that helped alone.
    std::vector<Candidate> neighbours(const Settings& settings) {
        std::vector<Candidate> found;
        const auto add = [&](Settings changed) {
            if (std::ranges::find(seen_, changed) == seen_.end()) {
                seen_.push_back(changed);
                found.push_back({.settings = std::move(changed)});
            }
        };
        for (const auto& [first, first_choice] : helpful_) {
            for (const auto& [second, second_choice] : helpful_) {
                if (first < second) {
                    Settings both = settings;
                    both[first] = first_choice;
                    both[second] = second_choice;
                    add(std::move(both));
                }
            }
        }
        for (const Knob& knob : knobs_) {
            for (std::size_t choice = 0; choice < knob.choices.size(); ++choice) {
                Settings changed = settings;
                changed[knob.name] = choice;
                add(std::move(changed));
            }
        }
        return found;
    }

    // Measures the candidates, for a short time at first, and drops the worse half each time. Returns the best one if
    // it is better than `best`; nothing if none is, or if there was no time at all.
    std::optional<Candidate> halve(std::vector<Candidate> candidates, const Candidate& best) {
        while (!candidates.empty() && !has_time_(candidates.size(), kFirstSeconds)) {
            candidates.pop_back();
        }
        for (double seconds = kFirstSeconds; !candidates.empty() && has_time_(candidates.size(), seconds);
             seconds *= 2.0) {
            measure_all(candidates, seconds);
            std::erase_if(candidates, [](const Candidate& one) { return !one.ratio.is_known(); });
            std::ranges::stable_sort(candidates, {}, [](const Candidate& one) { return one.ratio.value; });
            if (seconds == kFirstSeconds) {
                note_helpful(candidates, best);
            }
            if (candidates.size() <= 1) {
                break;
            }
            candidates.resize((candidates.size() + 1) / 2);
        }
        const bool is_better =
            !candidates.empty() && candidates.front().ratio.is_known() &&
            candidates.front().ratio.value <= (best.ratio.is_known() ? best.ratio.value : 1.0) - kNoticeableGain;
        return is_better ? std::optional(candidates.front()) : std::nullopt;
    }

    void measure_all(std::vector<Candidate>& candidates, double seconds) {
        std::vector<Variant> variants;
        for (const Candidate& one : candidates) {
            variants.push_back(variant_of(knobs_, one.settings, start_));
        }
        std::vector<Result> results = measure_(variants, seconds);
        for (std::size_t i = 0; i < candidates.size() && i < results.size(); ++i) {
            candidates[i].ratio = results[i].ratio;
        }
        std::ranges::move(results, std::back_inserter(results_));
    }

    // Keeps the best changes of single knobs, which are tried together next.
    void note_helpful(const std::vector<Candidate>& sorted, const Candidate& best) {
        helpful_.clear();
        const double to_beat = best.ratio.is_known() ? best.ratio.value : 1.0;
        for (const Candidate& one : sorted) {
            for (const auto& [name, choice] : one.settings) {
                const auto before = best.settings.find(name);
                const bool is_new = before == best.settings.end() || before->second != choice;
                if (is_new && one.ratio.value < to_beat && helpful_.size() < kMostTogether) {
                    helpful_.emplace(name, choice);
                }
            }
        }
    }

    // Compares the best settings with the pipeline as it was given, and takes the given one if they are not better.
    Tuned finish(const Candidate& best) {
        Tuned tuned{.best = {}, .ratio = {}};
        const Variant variant = variant_of(knobs_, best.settings, start_);
        if (!variant.sets.empty()) {
            std::vector<Result> results = measure_({variant}, kLastSeconds);
            const Ratio ratio = results.empty() ? Ratio() : results.front().ratio;
            std::ranges::move(results, std::back_inserter(results_));
            if (ratio.is_known() && ratio.gain() >= kNoticeableGain && ratio.least_gain() > -kTolerance) {
                tuned.best = variant;
                tuned.ratio = ratio;
            }
        }
        tuned.results = std::move(results_);
        return tuned;
    }

    const std::vector<Knob>& knobs_;
    const Variant& start_;
    const MeasureFor& measure_;
    const std::function<bool(std::size_t, double)>& has_time_;
    std::vector<Settings> seen_;
    Settings helpful_;
    std::vector<Result> results_;
};

// Adds a value for --set. One for the same key, or for a key within it, is dropped.
void replace_set(std::vector<std::string>& sets, const std::string& added) {
    const std::string key = added.substr(0, added.find('='));
    std::erase_if(sets, [&](const std::string& set) {
        return set.starts_with(key) && (set[key.size()] == '=' || set[key.size()] == '.');
    });
    sets.push_back(added);
}

}  // namespace

Variant variant_of(const std::vector<Knob>& knobs, const Settings& settings, const Variant& start) {
    Variant variant = start;
    variant.name.clear();
    if (!start.sets.empty()) {
        variant.name = start.name;
    }
    for (const Knob& knob : knobs) {
        const auto chosen = settings.find(knob.name);
        if (chosen == settings.end()) {
            continue;
        }
        const Choice& choice = knob.choices[chosen->second];
        variant.name += (variant.name.empty() ? "" : ", ") + choice.text;
        for (const std::string& set : choice.sets) {
            replace_set(variant.sets, set);
        }
        variant.change = std::max(variant.change, choice.change);
        variant.batch = choice.batch != 1.0 ? choice.batch : variant.batch;
        variant.warm_samples = std::max(variant.warm_samples, choice.warm_samples);
    }
    variant.what = variant.name;
    return variant;
}

Tuned search(const std::vector<Knob>& knobs, const Variant& start, const MeasureFor& measure,
             const std::function<bool(std::size_t variants, double seconds)>& has_time) {
    return Search(knobs, start, measure, has_time).run();
}

}  // namespace sluice::diagnose
