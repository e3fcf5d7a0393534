// Cases for optimizers: each element is updated by itself, from the launch alone.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "check/cases/bench.hpp"
#include "check/cases/sized_struct.hpp"
#include "check/contract/cases.hpp"
#include "check/numerics/guarded_buffer.hpp"
#include "registry/objects/data_sinks.hpp"
#include "registry/objects/optimizer.hpp"

namespace sluice::check {
namespace {

using Floats = std::vector<float>;
using Cuts = std::vector<std::size_t>;  // first elements of all ranges after the first one

constexpr std::size_t kCount = 1003;

// The parameters and states between two steps.
struct Kept {
    Floats parameters;
    std::vector<Floats> states;

    // Compares bits, so that NaN equals NaN.
    [[nodiscard]] bool operator==(const Kept& other) const {
        const auto same = [](const Floats& a, const Floats& b) {
            return std::ranges::equal(a, b, {}, std::bit_cast<std::uint32_t, float>,
                                      std::bit_cast<std::uint32_t, float>);
        };
        return same(parameters, other.parameters) && std::ranges::equal(states, other.states, same);
    }
};

// Floats in device memory, aligned for floats and no further, with one guard element on each side.
class Range {
public:
    Range(const Workbench& bench, const Floats& values) : buffer_(bench, (values.size() + 2) * sizeof(float)) {
        Floats all(values.size() + 2, kBeside);
        std::ranges::copy(values, all.begin() + 1);
        buffer_.write(std::as_bytes(std::span(all)));
    }
    [[nodiscard]] float* data() const { return static_cast<float*>(buffer_.data()) + 1; }
    // Sets `broken` to a message if memory beside the range was written.
    [[nodiscard]] Floats read(const std::string& name, std::string& broken) const {
        const std::vector<std::byte> bytes = buffer_.read();
        Floats all(bytes.size() / sizeof(float));
        std::ranges::copy(bytes, std::as_writable_bytes(std::span(all)).begin());
        if (!buffer_.damage().empty() || all.front() != kBeside || all.back() != kBeside) {
            broken = fmt::format("update() writes outside the range of {}", name);
        }
        return {all.begin() + 1, all.end() - 1};
    }
    [[nodiscard]] bool has_changed() const { return buffer_.has_changed(); }

private:
    static constexpr float kBeside = 12345.0F;
    GuardedBuffer buffer_;
};

sluice_step_scalars scalars_of(std::uint64_t step) {
    sluice_step_scalars scalars{};
    scalars.rate = 1e-2;
    scalars.gradient_scale = 0.5;
    scalars.loss_seed = 1.0;
    scalars.step = step;
    return scalars;
}

Floats random_floats(std::uint64_t stream, std::size_t count = kCount) {
    Floats values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = static_cast<float>(static_cast<double>(random_bits({1, stream, 0}, i) >> 11) * 0x1p-52 - 1.0);
    }
    return values;
}

// An optimizer whose updates run in guarded memory of its device.
class Updates {
public:
    explicit Updates(Trial& trial)
        : bench_(open_bench(trial)), optimizer_(trial.component(), trial.options(), {}), kept_{random_floats(7), {}} {
        kept_.states.assign(optimizer_.states().size(), Floats(kCount, 0.0F));
    }
    [[nodiscard]] const registry::Optimizer& optimizer() const { return optimizer_; }
    [[nodiscard]] const sluice_threads* threads() const { return bench_->threads(); }
    // The parameters and states before the first step.
    [[nodiscard]] const Kept& first() const { return kept_; }

    // Runs one step on `kept` and returns the result. `cuts` splits the elements into ranges, each with its own
    // update().
    [[nodiscard]] Kept step(const Kept& kept, const Floats& gradients, const sluice_step_scalars& scalars,
                            const sluice_threads* threads, Cuts cuts = {}, bool is_larger = false) const {
        const Range parameters(*bench_, kept.parameters);
        const Range given(*bench_, gradients);
        std::vector<Range> states;
        for (const Floats& state : kept.states) {
            states.emplace_back(*bench_, state);
        }
        GuardedBuffer own_scalars(*bench_, sizeof(scalars));
        own_scalars.write(std::as_bytes(std::span(&scalars, 1)));
        cuts.insert(cuts.begin(), 0);
        cuts.push_back(kept.parameters.size());
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
            std::vector<float*> addresses;
            for (const Range& state : states) {
                addresses.push_back(state.data() + cuts[i]);
            }
            SizedStruct<sluice_optimizer_launch> launch(is_larger);
            launch.value.parameters = parameters.data() + cuts[i];
            launch.value.gradients = given.data() + cuts[i];
            launch.value.states = addresses.data();
            launch.value.count = cuts[i + 1] - cuts[i];
            launch.value.scalars = static_cast<const sluice_step_scalars*>(own_scalars.data());
            launch.value.threads = threads;
            launch.value.stream = bench_->stream();
            optimizer_.update(launch.value);
            bench_->device()->wait(bench_->stream());
        }
        if (given.has_changed() || own_scalars.has_changed()) {
            broken_ = fmt::format("update() writes to the {}, which it may only read",
                                  given.has_changed() ? "gradients" : "step's scalars");
        }
        Kept after{parameters.read("parameters", broken_), {}};
        for (std::size_t i = 0; i < states.size(); ++i) {
            after.states.push_back(states[i].read(fmt::format("state '{}'", optimizer_.states()[i]), broken_));
        }
        return after;
    }
    [[nodiscard]] Kept step(const Kept& kept, std::uint64_t number, const Cuts& cuts = {}) const {
        return step(kept, random_floats(100 + number), scalars_of(number), threads(), cuts);
    }
    // The last broken rule of memory, as a message; empty: none.
    [[nodiscard]] const std::string& broken() const { return broken_; }
    // Runs the steps `first` to `last`.
    [[nodiscard]] Kept steps(Kept kept, std::uint64_t first, std::uint64_t last) const {
        for (std::uint64_t number = first; number <= last; ++number) {
            kept = step(kept, number);
        }
        return kept;
    }

private:
    std::unique_ptr<Workbench> bench_;
    registry::Optimizer optimizer_;
    Kept kept_;
    mutable std::string broken_;
};

class OptimizerTestObject final : public TestObject {
public:
    explicit OptimizerTestObject(Trial& trial) : updates_(trial) {}
    std::string use() override {
        const Kept kept = updates_.steps(updates_.first(), 1, 3);
        return {reinterpret_cast<const char*>(kept.parameters.data()), kept.parameters.size() * sizeof(float)};
    }

private:
    Updates updates_;
};

bool all_finite(const Floats& values) {
    return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

void stays_within_its_ranges(Trial& trial) {
    const Updates updates(trial);
    const Kept after = updates.steps(updates.first(), 1, 3);
    expect(updates.broken().empty(), updates.broken());
    expect(all_finite(after.parameters), "parameters are not finite after three steps with small gradients");
    expect(!(after == updates.first()), "three steps change nothing");
}

// The mean of (parameter - target)^2 / 2.
double loss_of(const Floats& parameters, const Floats& targets) {
    const double sum = std::transform_reduce(
        parameters.begin(), parameters.end(), targets.begin(), 0.0, std::plus<>(),
        [](double parameter, double target) { return 0.5 * (parameter - target) * (parameter - target); });
    return sum / static_cast<double>(targets.size());
}

// Parameters begin at 0, where weight decay does not hide the effect of gradients. The targets are so far away that no
// sensible step at this rate overshoots them. All gradients are negative in the first run, positive in the second.
void follows_gradients_down(Trial& trial) {
    const Updates updates(trial);
    constexpr std::uint64_t kSteps = 20;
    for (const float sign : {1.0F, -1.0F}) {
        Floats targets = random_floats(10);
        std::ranges::for_each(targets, [&](float& target) { target = sign * (3.0F + target); });
        Kept kept{Floats(kCount, 0.0F), updates.first().states};
        const double before = loss_of(kept.parameters, targets);
        for (std::uint64_t number = 1; number <= kSteps; ++number) {
            const sluice_step_scalars scalars = scalars_of(number);
            Floats gradients(kCount);
            std::ranges::transform(kept.parameters, targets, gradients.begin(), [&](float parameter, float target) {
                return (parameter - target) / static_cast<float>(scalars.gradient_scale);
            });
            kept = updates.step(kept, gradients, scalars, updates.threads());
        }
        const double after = loss_of(kept.parameters, targets);
        expect(after < before,
               fmt::format("{} steps with scalars->rate = {} change the mean of (x - t) * (x - t) / 2, where all t are "
                           "{} 0, from {:.6g} to {:.6g}; a step must go against its gradients, so that the loss falls",
                           kSteps, scalars_of(1).rate, sign > 0.0F ? "above" : "below", before, after));
    }
}

void same_bits_again(Trial& trial) {
    const Updates updates(trial);
    const Kept first = updates.steps(updates.first(), 1, 3);
    expect(updates.steps(updates.first(), 1, 3) == first, "the same three steps give other bits the second time");
}

void same_bits_in_ranges(Trial& trial) {
    const Updates updates(trial);
    const Kept whole = updates.steps(updates.first(), 1, 2);
    const std::size_t somewhere = 1 + static_cast<std::size_t>(trial.draw(kCount - 1));
    for (const Cuts& cuts : {Cuts{1}, Cuts{17}, Cuts{0, 500}, Cuts{somewhere}, Cuts{3, 4, 5, 6, 7, 8, 640, 1002}}) {
        Kept kept = updates.step(updates.first(), 1, cuts);
        kept = updates.step(kept, 2, cuts);
        expect(kept == whole,
               fmt::format("ranges cut at {} give other bits than one range; an optimizer must be element-wise",
                           fmt::join(cuts, ", ")));
    }
}

void same_bits_by_any_threads(Trial& trial) {
    const Updates updates(trial);
    if (updates.threads() == nullptr) {
        throw CaseSkipped("the optimizer's device has no threads");
    }
    // The range is long enough for each thread to get a part.
    constexpr std::size_t kLong = 200003;
    Kept kept{random_floats(7, kLong), {}};
    kept.states.assign(updates.first().states.size(), Floats(kLong, 0.0F));
    const Floats gradients = random_floats(8, kLong);
    std::vector<Kept> results;
    for (const int count : {1, 2, 3}) {
        const run::Threads threads(count);
        results.push_back(updates.step(kept, gradients, scalars_of(1), threads.api()));
        expect(results.back() == results.front(), fmt::format("{} threads give other bits than one", count));
    }
}

void goes_on_from_its_states(Trial& trial) {
    const Updates updates(trial);
    const Kept half = updates.steps(updates.first(), 1, 4);
    const Kept whole = updates.steps(half, 5, 8);
    const Updates resumed(trial);
    expect(resumed.steps(half, 5, 8) == whole,
           "another object that continues from the same parameters and states gives other bits; something is kept "
           "elsewhere");
    expect(updates.steps(updates.first(), 1, 4) == half,
           "the same object gives other bits when it begins again; only scalars->step may count the steps");
}

void leaves_a_skipped_step(Trial& trial) {
    const Updates updates(trial);
    const Kept half = updates.steps(updates.first(), 1, 2);
    sluice_step_scalars scalars = scalars_of(3);
    scalars.skip = 1;
    Floats gradients = random_floats(9);
    gradients[5] = std::numeric_limits<float>::infinity();
    expect(updates.step(half, gradients, scalars, updates.threads()) == half,
           "a step with scalars->skip changes something");
}

// Powers of two cause no rounding. So larger gradients with a gradient_scale that is smaller by the same factor give
// the same bits.
void follows_its_scalars(Trial& trial) {
    const Updates updates(trial);
    const Kept before = updates.steps(updates.first(), 1, 2);
    const Floats gradients = random_floats(9);
    sluice_step_scalars scalars = scalars_of(3);
    const Kept after = updates.step(before, gradients, scalars, updates.threads());
    for (const float factor : {0.125F, 64.0F}) {
        Floats larger = gradients;
        std::ranges::for_each(larger, [&](float& gradient) { gradient *= factor; });
        scalars.gradient_scale = scalars_of(3).gradient_scale / static_cast<double>(factor);
        expect(updates.step(before, larger, scalars, updates.threads()) == after,
               fmt::format("gradients multiplied by {}, with scalars->gradient_scale divided by {}, give other bits; "
                           "multiply gradients by gradient_scale before anything else",
                           factor, factor));
    }
    scalars = scalars_of(3);
    scalars.rate *= 2.0;
    expect(updates.step(before, gradients, scalars, updates.threads()).parameters != after.parameters,
           "twice the scalars->rate gives the same parameters");
}

void stands_zero_gradients(Trial& trial) {
    const Updates updates(trial);
    Kept kept = updates.first();
    for (std::uint64_t number = 1; number <= 3; ++number) {
        kept = updates.step(kept, Floats(kCount, 0.0F), scalars_of(number), updates.threads());
    }
    expect(all_finite(kept.parameters), "zero gradients make parameters that are not finite");
}

void keeps_elements_apart(Trial& trial) {
    const Updates updates(trial);
    const Floats gradients = random_floats(9);
    Floats with_nan = gradients;
    constexpr std::size_t kWhere = 123;
    with_nan[kWhere] = std::numeric_limits<float>::quiet_NaN();
    const Kept right = updates.step(updates.first(), gradients, scalars_of(1), updates.threads());
    Kept found = updates.step(updates.first(), with_nan, scalars_of(1), updates.threads());
    found.parameters[kWhere] = right.parameters[kWhere];
    for (std::size_t i = 0; i < found.states.size(); ++i) {
        found.states[i][kWhere] = right.states[i][kWhere];
    }
    expect(found == right, "a NaN gradient changes other elements than its own");
}

void optimizer_takes_structs_of_any_size(Trial& trial) {
    const Updates updates(trial);
    const Floats gradients = random_floats(9);
    expect(updates.step(updates.first(), gradients, scalars_of(1), updates.threads(), {}, true) ==
               updates.step(updates.first(), gradients, scalars_of(1), updates.threads()),
           "update() gives another result with a larger sluice_optimizer_launch");
}

std::unique_ptr<TestObject> make_optimizer_test_object(Trial& trial) {
    return std::make_unique<OptimizerTestObject>(trial);
}

constexpr Case kOptimizerCases[] = {
    {"optimizer.bounds", "update() writes only to its range of parameters and states, and only finite numbers.",
     stays_within_its_ranges},
    {"optimizer.learns", "Steps on a convex function make its loss fall.", follows_gradients_down},
    {"optimizer.again", "The same steps give the same bits.", same_bits_again},
    {"optimizer.ranges", "Ranges of any length, including 0 and 1, give the bits of one large range.",
     same_bits_in_ranges},
    {"optimizer.threads", "Any number of threads gives the same bits.", same_bits_by_any_threads},
    {"optimizer.resumes", "A step depends on parameters, states and scalars->step alone.", goes_on_from_its_states},
    {"optimizer.skips", "A step with scalars->skip changes nothing.", leaves_a_skipped_step},
    {"optimizer.scalars", "A step follows scalars->rate and scalars->gradient_scale.", follows_its_scalars},
    {"optimizer.zero_gradients", "Zero gradients leave parameters finite.", stands_zero_gradients},
    {"optimizer.not_a_number", "A NaN gradient affects its own element only.", keeps_elements_apart},
    {"optimizer.struct_sizes", "A larger struct of a newer host changes nothing.", optimizer_takes_structs_of_any_size},
};

}  // namespace

const KindCases& optimizer_cases() {
    static constexpr KindCases kOptimizer{
        {make_optimizer_test_object, create_plain<sluice_optimizer>, destroy_plain<sluice_optimizer>}, kOptimizerCases};
    return kOptimizer;
}

}  // namespace sluice::check
