#include "check/numerics/resized_cases.hpp"

#include <algorithm>

#include "base/tensor.hpp"

namespace sluice::check {
namespace {

using Shapes = std::vector<sluice_tensor_spec>;

template <class Change>
Shapes with_all(Shapes inputs, const Change& change) {
    for (sluice_tensor_spec& spec : inputs) {
        std::transform(spec.shape, spec.shape + spec.rank, spec.shape, change);
    }
    return inputs;
}

// Changes an axis of the first input, and of all inputs that have the same extent there.
Shapes with_axis(Shapes inputs, std::int32_t axis, std::int64_t extent) {
    const std::int64_t before = inputs.front().shape[axis];
    for (sluice_tensor_spec& spec : inputs) {
        if (axis < spec.rank && spec.shape[axis] == before) {
            spec.shape[axis] = extent;
        }
    }
    return inputs;
}

bool are_same(const Shapes& a, const Shapes& b) {
    return std::ranges::equal(a, b, [](const auto& one, const auto& other) { return one == other; });
}

bool is_small(const Shapes& inputs) {
    constexpr std::int64_t kMost = 1 << 16;  // elements
    return std::ranges::all_of(inputs, [](const auto& spec) { return element_count(spec) <= kMost; });
}

}  // namespace

std::vector<ResizedCase> make_resized_cases(const registry::CheckCase& check) {
    std::vector<ResizedCase> all;
    const auto add = [&](Shapes inputs, bool changes_all, bool is_larger = true) {
        const bool is_known = are_same(inputs, check.inputs) || std::ranges::any_of(all, [&](const ResizedCase& one) {
                                  return are_same(one.check.inputs, inputs);
                              });
        if (!is_known && is_small(inputs)) {
            all.push_back({check, changes_all, is_larger});
            all.back().check.inputs = std::move(inputs);
        }
    };
    if (check.inputs.empty()) {
        return all;
    }
    add(with_all(check.inputs, [](std::int64_t extent) { return extent % 2 == 0 ? extent + 1 : extent + 2; }), true);
    add(with_all(check.inputs, [](std::int64_t extent) { return std::max<std::int64_t>((extent - 1) | 1, 1); }), true,
        false);
    add(with_all(check.inputs, [](std::int64_t) { return std::int64_t{1}; }), true, false);
    for (std::int32_t axis = 0; axis < check.inputs.front().rank; ++axis) {
        for (const std::int64_t extent : {1, axis % 2 == 0 ? 7 : 5, axis % 2 == 0 ? 13 : 3, 0}) {
            add(with_axis(check.inputs, axis, extent), false);
        }
    }
    return all;
}

}  // namespace sluice::check
