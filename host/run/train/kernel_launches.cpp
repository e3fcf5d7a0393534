#include "run/train/kernel_launches.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

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
        : records_(records), launches_(launches), steps_(steps), places_(records.size()) {}

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

    // Compares the kernels of later steps with those of the first step that was launched one by one. Kernels, fills and
    // copies are compared by themselves, since a graph may turn one into another.
    void compare_steps() {
        using Sequence = std::pair<std::uint32_t, std::uint32_t>;  // stream and kind
        std::map<Sequence, std::map<std::int64_t, Indices>> sequences;
        for (std::size_t i = 0; i < records_.size(); ++i) {
            if (records_[i].launch_ns >= 0 && is_of_launch(records_[i])) {
                const std::int64_t step = step_at(steps_, launch_time(records_[i]));
                sequences[{records_[i].stream, records_[i].kind}][step].push_back(i);
            }
        }
        for (const auto& [sequence, by_step] : sequences) {
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
            if (!places_[call.front()]) {  // else its kernels were launched one by one
                place = compare_call(model, call, place);
            }
        }
    }

    // Returns the place in the model after the counterparts of this call.
    std::size_t compare_call(const Indices& model, const Indices& call, std::size_t place) {
        const auto is_same = [&](std::size_t a, std::size_t b) { return records_[a].name == records_[b].name; };
        const auto from_place = model.begin() + static_cast<std::ptrdiff_t>(place);
        auto found = std::search(from_place, model.end(), call.begin(), call.end(), is_same);
        if (found == model.end()) {
            found = std::search(model.begin(), model.end(), call.begin(), call.end(), is_same);
        }
        if (found != model.end()) {
            copy_places(model, static_cast<std::size_t>(found - model.begin()), call, 0, call.size());
            return static_cast<std::size_t>(found - model.begin()) + call.size();
        }
        return compare_ends(model, call, place);
    }

    // The call has other kernels than the model. Those at its beginning and at its end may have counterparts.
    std::size_t compare_ends(const Indices& model, const Indices& call, std::size_t place) {
        const auto is_same = [&](std::size_t in_model, std::size_t in_call) {
            return records_[model[in_model]].name == records_[call[in_call]].name;
        };
        std::size_t first = 0;
        while (place + first < model.size() && first < call.size() && is_same(place + first, first)) {
            ++first;
        }
        std::size_t most = 0;
        std::size_t end = place + first;
        for (std::size_t last = place + first + 1; last <= model.size(); ++last) {
            std::size_t same = 0;
            while (first + same < call.size() && place + first + same < last &&
                   is_same(last - same - 1, call.size() - same - 1)) {
                ++same;
            }
            if (same > most) {
                most = same;
                end = last;
            }
        }
        copy_places(model, place, call, 0, first);
        copy_places(model, end - most, call, call.size() - most, most);
        return end;
    }

    void copy_places(const Indices& model, std::size_t from, const Indices& call, std::size_t to, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            places_[call[to + i]] = places_[model[from + i]];
        }
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
