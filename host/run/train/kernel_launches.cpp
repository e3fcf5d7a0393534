#include "run/train/kernel_launches.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sluice::run {
namespace {

using registry::Activity;
using Launch = StreamSpans::Launch;

constexpr double kNanosecond = 1e-9;
// The clock of the driver's tools may be behind the host's by so many seconds. A call that enqueues takes longer, so it
// does not move to the next launch.
constexpr double kClockError = 5e-8;

double launch_time(const Activity& record) { return kNanosecond * static_cast<double>(record.launch_ns); }

// A kernel takes at least a nanosecond, so that each has a share of its launch.
double seconds_of(const Activity& record) {
    return kNanosecond * static_cast<double>(std::max<std::int64_t>(record.end_ns - record.begin_ns, 1));
}

// The place of a kernel among those of its launch.
struct Place {
    std::size_t group = 0;
    std::size_t kernel = 0;
};

// Launches of one operation with kernels of the same names.
struct Group {
    const profile::Operation* operation = nullptr;
    std::vector<double> seconds;                     // of each kernel, in all of the launches
    std::vector<const profile::Operation*> parts{};  // of each kernel
};

class Finder {
public:
    Finder(const std::vector<Activity>& records, const std::vector<Launch>& launches,
           const std::vector<profile::StepBegin>& steps)
        : records_(records), launches_(launches), steps_(steps), places_(records.size()) {
        std::unordered_map<std::string_view, std::uint32_t> numbers;
        for (const Activity& record : records) {
            names_.push_back(
                numbers.try_emplace(record.name, static_cast<std::uint32_t>(numbers.size())).first->second);
        }
    }

    KernelLaunches find() {
        group_launches();
        compare_steps();
        KernelLaunches found{std::vector<const profile::Operation*>(records_.size()), divide_launches()};
        for (std::size_t i = 0; i < records_.size(); ++i) {
            if (places_[i]) {
                found.operations[i] = groups_[places_[i]->group].parts[places_[i]->kernel];
            }
        }
        return found;
    }

private:
    using Indices = std::vector<std::size_t>;  // in records_

    [[nodiscard]] std::optional<std::size_t> launch_of(const Activity& record) const {
        if (record.launch_ns < 0 || !is_of_launch(record)) {
            return std::nullopt;
        }
        const double time = launch_time(record) + kClockError;
        const auto after = std::ranges::upper_bound(launches_, time, {}, &Launch::begin);
        if (after == launches_.begin() || std::prev(after)->end < time) {
            return std::nullopt;
        }
        return static_cast<std::size_t>(std::prev(after) - launches_.begin());
    }

    // Finds the kernels that were launched one by one.
    void group_launches() {
        std::map<std::size_t, Indices> kernels;  // by launch
        for (std::size_t i = 0; i < records_.size(); ++i) {
            if (const std::optional<std::size_t> launch = launch_of(records_[i])) {
                kernels[*launch].push_back(i);
            }
        }
        std::map<std::pair<const profile::Operation*, std::vector<std::string_view>>, std::size_t> known;
        for (const auto& [launch, indices] : kernels) {
            std::vector<std::string_view> names;
            for (const std::size_t i : indices) {
                names.emplace_back(records_[i].name);
            }
            const auto [group, is_new] =
                known.try_emplace({launches_[launch].operation, std::move(names)}, groups_.size());
            if (is_new) {
                groups_.push_back({launches_[launch].operation, std::vector<double>(indices.size())});
            }
            for (std::size_t kernel = 0; kernel < indices.size(); ++kernel) {
                groups_[group->second].seconds[kernel] += seconds_of(records_[indices[kernel]]);
                places_[indices[kernel]] = Place{group->second, kernel};
            }
        }
    }

    // Compares what later steps do on a stream with the first step that was launched one by one.
    void compare_steps() {
        std::map<std::uint32_t, std::map<std::int64_t, Indices>> streams;
        for (std::size_t i = 0; i < records_.size(); ++i) {
            if (records_[i].launch_ns >= 0 && is_of_launch(records_[i])) {
                streams[records_[i].stream][step_at(steps_, launch_time(records_[i]))].push_back(i);
            }
        }
        for (const auto& [stream, by_step] : streams) {
            const auto model = std::ranges::find_if(by_step, [&](const auto& step) {
                return std::ranges::any_of(step.second, [&](std::size_t i) { return places_[i].has_value(); });
            });
            for (auto step = model; step != by_step.end(); ++step) {
                if (step != model) {
                    compare(model->second, step->second);
                }
            }
        }
    }

    // Steps may have different numbers of micro-batches, so that each replay is compared by itself.
    void compare(const Indices& model, const Indices& step) {
        std::size_t place = 0;  // in the model, after the replay before
        for (std::size_t begin = 0; begin < step.size();) {
            Indices call;
            const std::uint64_t correlation = records_[step[begin]].correlation;
            for (; begin < step.size() && records_[step[begin]].correlation == correlation; ++begin) {
                call.push_back(step[begin]);
            }
            if (places_[call.front()]) {
                continue;  // its kernels were launched one by one
            }
            Match match = find_match(model, call, place);
            if (match.found < call.size() && place > 0) {
                if (Match from_begin = find_match(model, call, 0); from_begin.found > match.found) {
                    match = std::move(from_begin);
                }
            }
            for (std::size_t i = 0; i < call.size(); ++i) {
                places_[call[i]] = match.in_model[i] ? places_[model[*match.in_model[i]]] : std::nullopt;
            }
            place = match.found > 0 ? match.end : place;
        }
    }

    // Says which kernels of the model are the counterparts of those of a call.
    struct Match {
        std::vector<std::optional<std::size_t>> in_model;  // a place for each kernel
        std::size_t found = 0;
        std::size_t end = 0;  // the place after the last one in the model
    };

    // Finds the kernels in the model, from `place` on, that have the same names in the same order. A graph may have
    // other kernels in between. If as many of them differ as in the model, they stand for each other: a fill may be
    // replayed as a kernel.
    [[nodiscard]] Match find_match(const Indices& model, const Indices& call, std::size_t place) const {
        Match match{.in_model = std::vector<std::optional<std::size_t>>(call.size()), .end = place};
        std::size_t i = place;
        std::size_t j = 0;
        while (const std::optional<Skip> skip = next_match(model, i, call, j)) {
            for (std::size_t k = 0; k < skip->in_call && skip->in_model == skip->in_call && i > place; ++k) {
                match.in_model[j + k] = i + k;
            }
            i += skip->in_model;
            j += skip->in_call;
            match.in_model[j++] = i++;
            ++match.found;
            match.end = i;
        }
        return match;
    }

    // Says how many kernels have no counterpart.
    struct Skip {
        std::size_t in_model = 0;
        std::size_t in_call = 0;
    };

    // Finds the next place at which some names are the same, or all names until both ends. Fewer could be so by chance.
    [[nodiscard]] std::optional<Skip> next_match(const Indices& model, std::size_t i, const Indices& call,
                                                 std::size_t j) const {
        constexpr std::size_t kMostSkipped = 256;
        if (i >= model.size() || j >= call.size()) {
            return std::nullopt;
        }
        const std::size_t most_in_model = std::min(model.size() - i, kMostSkipped);
        const std::size_t most_in_call = std::min(call.size() - j, kMostSkipped);
        for (std::size_t skipped = 0; skipped < most_in_model + most_in_call; ++skipped) {
            // As many on both sides come first, since they stand for each other.
            for (std::size_t off = skipped % 2; off <= skipped; off += 2) {
                const std::size_t less = (skipped - off) / 2;
                for (const Skip& skip : {Skip{less, less + off}, Skip{less + off, less}}) {
                    if (skip.in_model < most_in_model && skip.in_call < most_in_call &&
                        matches(model, i + skip.in_model, call, j + skip.in_call, skip)) {
                        return skip;
                    }
                }
            }
        }
        return std::nullopt;
    }

    // True if the kernels after the gap have the same names, and so do those that follow. The end of a call suffices if
    // the model ends there too, or if both have as many kernels in the gap.
    [[nodiscard]] bool matches(const Indices& model, std::size_t i, const Indices& call, std::size_t j,
                               const Skip& gap) const {
        constexpr std::size_t kNames = 4;
        const std::size_t left = call.size() - j;
        const bool has_gap = gap.in_model + gap.in_call > 0;
        const bool may_be_the_end = gap.in_model == gap.in_call || left == model.size() - i;
        const std::size_t names = has_gap ? std::min(kNames, may_be_the_end ? left : call.size()) : 1;
        if (names > left || names > model.size() - i) {
            return false;
        }
        const auto first = model.begin() + static_cast<std::ptrdiff_t>(i);
        return std::equal(first, first + static_cast<std::ptrdiff_t>(names),
                          call.begin() + static_cast<std::ptrdiff_t>(j),
                          [&](std::size_t a, std::size_t b) { return names_[a] == names_[b]; });
    }

    // The kernels of a launch share its work as they share its time, so that sums and rates are those of the launch.
    profile::Operations divide_launches() {
        auto parts = std::make_shared<std::vector<profile::Operation>>();
        std::size_t count = 0;
        for (const Group& group : groups_) {
            count += group.seconds.size();
        }
        parts->reserve(count);  // since pointers refer to the elements
        for (Group& group : groups_) {
            const double all = std::accumulate(group.seconds.begin(), group.seconds.end(), 0.0);
            for (const double seconds : group.seconds) {
                if (group.seconds.size() == 1) {
                    group.parts.push_back(group.operation);
                    continue;
                }
                profile::Operation& part = parts->emplace_back(*group.operation);
                part.share = seconds / all;
                part.flop *= part.share;
                part.done_flop *= part.share;
                part.bytes *= part.share;
                group.parts.push_back(&part);
            }
        }
        return parts;
    }

    const std::vector<Activity>& records_;
    const std::vector<Launch>& launches_;
    const std::vector<profile::StepBegin>& steps_;
    std::vector<std::optional<Place>> places_;  // of each record
    std::vector<std::uint32_t> names_;          // each record's name as a number
    std::vector<Group> groups_;
};

}  // namespace

bool is_collective(std::string_view kernel) {
    return kernel.find("nccl") != std::string_view::npos || kernel.find("Nccl") != std::string_view::npos;
}

bool is_of_launch(const Activity& activity) {
    return activity.kind != SLUICE_ACTIVITY_UPLOAD && activity.kind != SLUICE_ACTIVITY_DOWNLOAD &&
           !is_collective(activity.name);
}

std::int64_t step_at(const std::vector<profile::StepBegin>& steps, double time) {
    const auto after = std::ranges::upper_bound(steps, time, {}, &profile::StepBegin::time);
    return after == steps.begin() ? 0 : std::prev(after)->step;
}

KernelLaunches find_launches(const std::vector<Activity>& records, const std::vector<Launch>& launches,
                             const std::vector<profile::StepBegin>& steps) {
    return Finder(records, launches, steps).find();
}

}  // namespace sluice::run
