#include "check/contract/setup_candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/error.hpp"
#include "registry/manifest/schema_check.hpp"

namespace sluice::check {
namespace {

using registry::OptionSchema;

template <class Number>
std::vector<Value> others_of(Number value) {
    constexpr auto kMost = static_cast<Number>(1LL << 40);  // value * 2 must fit too
    std::vector<Value> others;
    if (std::abs(value) <= kMost) {
        // Near values cost about as much time and memory as the value itself.
        std::vector<Number> numbers{value + 1, value - 1, value * 2, value / 2};
        if constexpr (std::is_floating_point_v<Number>) {
            numbers = {value / 2, value * 2, value + 1, value + Number(0.5), value - 1};
        }
        std::erase(numbers, value);
        for (const Number number : numbers) {
            others.push_back({number, {}});
        }
    }
    return others;
}

// Returns other values for the option. A text without choices has none, because it names something.
std::vector<Value> others_of(const OptionSchema& option, const Value& item) {
    if (const bool* const is_set = item.as_bool()) {
        return {{!*is_set, {}}};
    }
    if (!option.choices.empty()) {
        std::vector<Value> others = option.choices;
        std::erase_if(others, [&](const Value& choice) { return to_toml(choice) == to_toml(item); });
        return others;
    }
    if (const std::int64_t* const whole = item.as_int()) {
        return others_of(*whole);
    }
    const double* const number = item.as_float();
    return number != nullptr ? others_of(*number) : std::vector<Value>();
}

// Replaces all items of an array.
std::vector<Value> others_of_all(const OptionSchema& option, const Value& value) {
    const Array* const items = value.as_array();
    if (items == nullptr) {
        return others_of(option, value);
    }
    std::vector<Value> arrays;
    for (std::size_t i = 0; i < items->size(); ++i) {
        const std::vector<Value> others = others_of(option, (*items)[i]);
        arrays.resize(i == 0 ? others.size() : std::min(arrays.size(), others.size()), Value{Array(), {}});
        for (std::size_t k = 0; k < arrays.size(); ++k) {
            std::get<Array>(arrays[k].data).push_back(others[k]);
        }
    }
    return arrays;
}

bool is_taken(const registry::Schema& schema, const Table& options) {
    try {
        registry::complete(schema, options, "it", {});
        return true;
    } catch (const Error&) {
        return false;
    }
}

SetupCandidates with_another(const registry::Schema& schema, const OptionSchema& option, const Setup& setup) {
    SetupCandidates neighbour;
    const Value* const value = setup.options.find(option.name);
    for (const Value& other : value != nullptr ? others_of_all(option, *value) : std::vector<Value>()) {
        Setup& next = neighbour.emplace_back(setup);
        next.options.set(option.name, other);
        next.name = fmt::format("with {} = {}", option.name, to_toml(other));
        if (!is_taken(schema, next.options)) {
            neighbour.pop_back();
        }
    }
    return neighbour;
}

}  // namespace

std::vector<SetupCandidates> make_setup_candidates(const registry::ComponentManifest& component, const Setup& setup) {
    std::vector<SetupCandidates> neighbours;
    for (const OptionSchema& option : component.options) {
        neighbours.push_back(with_another(component.options, option, setup));
    }
    if (component.kind == registry::Kind::transform) {
        Setup& reversed = neighbours.emplace_back(SetupCandidates{setup}).front();
        reversed.is_reversed = true;
        reversed.name = "with its fields in reverse order";
    }
    if (component.kind == registry::Kind::layer && !setup.inputs.empty()) {
        Setup& larger = neighbours.emplace_back(SetupCandidates{setup}).front();
        for (sluice_tensor_spec& spec : larger.inputs) {
            spec.shape[0] += spec.rank > 0 ? 1 : 0;
        }
        larger.name = "with one more sample";
    }
    return neighbours;
}

}  // namespace sluice::check
