#include "check/numerics/node_values.hpp"

#include <algorithm>
#include <array>

#include "base/random.hpp"
#include "registry/objects/label_range.hpp"

namespace sluice::check {
namespace {

constexpr std::size_t kApart = 40;

// The random numbers of one tensor of a case.
class Draws {
public:
    Draws(const NodeCase& node, const std::string& tensor)
        : key_{1, stable_hash(node.type() + "/" + node.name() + "/" + tensor), 0} {}
    std::uint64_t below(std::uint64_t bound) { return random_bits(key_, block_++) % bound; }
    double uniform(double low, double high) {
        return low + (high - low) * static_cast<double>(random_bits(key_, block_++) >> 11) * 0x1p-53;
    }

private:
    sluice_random_key key_;
    std::uint64_t block_ = 0;
};

template <class Draw>
Numbers fill(const sluice_tensor_spec& spec, const Draw& draw) {
    Numbers numbers(static_cast<std::size_t>(element_count(spec)));
    std::ranges::generate(numbers, [&] { return static_cast<double>(static_cast<float>(draw())); });
    return numbers;
}

// Draws class numbers that the layer accepts, bytes, or floats on a grid of step 0.02. The grid stays at least 0.005
// away from 0 and 0.01 from the grids of neighbouring inputs. So kinks, as of relu and |a - b|, are further away than
// the steps of finite differences. No value repeats within kApart elements, so that the largest value of a window is
// unique.
Numbers input_values(const NodeCase& node, std::size_t index) {
    const sluice_tensor_spec& spec = node.specs(kFloat32).inputs[index];
    Draws draws(node, "input " + std::to_string(index));
    if (const auto labels = registry::label_range(node.traits(), node.specs(kFloat32).inputs, index)) {
        const std::uint64_t choices = static_cast<std::uint64_t>(labels->classes) + (labels->ignored ? 1 : 0);
        return fill(spec, [&] {
            const auto label = static_cast<std::int64_t>(draws.below(choices));
            return label < labels->classes ? label : *labels->ignored;
        });
    }
    if (!is_float(spec.dtype)) {
        return fill(spec, [&] { return draws.below(256); });
    }
    const double shift = 0.005 + 0.01 * static_cast<double>(index % 2);
    const bool from_zero = node.role() == SLUICE_ROLE_METRIC;
    std::array<std::size_t, 100> free_from{};  // first element at which a value may repeat
    std::size_t element = 0;
    return fill(spec, [&] {
        std::uint64_t j = draws.below(from_zero ? 50 : 100);
        while (element < free_from[j]) {
            j = draws.below(from_zero ? 50 : 100);
        }
        free_from[j] = ++element + kApart;
        return 0.02 * (static_cast<double>(j) - (from_zero ? 0.0 : 50.0)) + shift;
    });
}

}  // namespace

NodeValues make_values(const NodeCase& node) {
    const NodeSpecs& specs = node.specs(kFloat32);
    NodeValues values;
    for (std::size_t i = 0; i < specs.inputs.size(); ++i) {
        values.inputs.push_back(input_values(node, i));
    }
    for (std::size_t i = 0; i < specs.parameters.size(); ++i) {
        Draws draws(node, "parameter " + std::to_string(i));
        values.parameters.push_back(fill(specs.parameters[i], [&] { return draws.uniform(-0.5, 0.5); }));
    }
    for (std::size_t i = 0; i < specs.states.size(); ++i) {
        Draws draws(node, "state " + std::to_string(i));
        const double initial = node.states()[i].initial;
        values.states.push_back(fill(specs.states[i], [&] { return initial + draws.uniform(0.0, 0.1); }));
    }
    for (std::size_t i = 0; i < specs.outputs.size() && node.role() == SLUICE_ROLE_LAYER; ++i) {
        Draws draws(node, "gradient of output " + std::to_string(i));
        values.output_gradients.push_back(fill(specs.outputs[i], [&] { return draws.uniform(-1.0, 1.0); }));
    }
    return values;
}

NodeValues reversed_values(NodeValues values) {
    for (auto* tensors : {&values.inputs, &values.parameters, &values.states, &values.output_gradients}) {
        for (Numbers& numbers : *tensors) {
            std::ranges::reverse(numbers);
        }
    }
    ++values.version;
    return values;
}

}  // namespace sluice::check
