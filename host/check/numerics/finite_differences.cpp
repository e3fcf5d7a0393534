#include "check/numerics/finite_differences.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/random.hpp"
#include "check/numerics/compare.hpp"
#include "check/numerics/kernel_memory.hpp"
#include "check/numerics/tolerances.hpp"

namespace sluice::check {
namespace {

constexpr std::size_t kMostElements = 24;  // of one tensor

// Chooses elements spread over the tensor, but not at a fixed stride, which could hit only a few channels.
std::vector<std::size_t> chosen_elements(std::size_t count) {
    const std::size_t picks = std::min(count, kMostElements);
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < picks; ++i) {
        const std::size_t first = i * count / picks;
        const std::size_t room = (i + 1) * count / picks - first;
        chosen.push_back(first + random_bits({1, stable_hash("finite differences"), i}, 0) % room);
    }
    return chosen;
}

class Slopes {
public:
    Slopes(KernelRun& run, const NodeCase& node, const NodeValues& values)
        : run_(run),
          is_loss_(node.role() == SLUICE_ROLE_LOSS),
          is_narrow_(run.specs().outputs.front().dtype == kFloat32),
          how_(is_narrow_ ? kNarrowDifference : kExactDifference),
          values_(values) {}

    // Compares `gradient` with slopes over elements of values.*tensors[index]. Returns a message if they differ.
    std::optional<std::string> check(std::vector<Numbers> NodeValues::*tensors, std::size_t index,
                                     const sluice_tensor_spec& spec, const Numbers& gradient, const std::string& what) {
        double largest = 0.0;
        double slope_there = 0.0;
        std::size_t at = 0;
        for (const std::size_t element : chosen_elements(gradient.size())) {
            const double slope = slope_of((values_.*tensors)[index][element], spec.dtype);
            const double apart = std::abs(slope - gradient[element]);
            if (!(apart <= largest)) {  // NaN too
                largest = apart;
                slope_there = slope;
                at = element;
            }
        }
        const double allowed = how_.tolerance * scale_of(gradient) + (is_narrow_ ? rounding_of_outputs() : 0.0);
        if (largest <= allowed) {
            return std::nullopt;
        }
        return fmt::format(
            "{} is not the slope of forward: largest difference {:.3g} at {}: found {:.9g}, finite differences give "
            "{:.9g}, allowed {:.2g}",
            what, largest, place_text(spec, at), gradient[at], slope_there, allowed);
    }

private:
    double slope_of(double& number, sluice_dtype dtype) {
        const double here = number;
        const auto stored = [&](double value) {
            return dtype == kFloat32 ? static_cast<double>(static_cast<float>(value)) : value;
        };
        const double above = stored(here + how_.step);
        const double below = stored(here - how_.step);
        number = above;
        const double up = objective();
        number = below;
        const double down = objective();
        number = here;
        return (up - down) / (above - below);
    }

    // The error of a slope from the rounding of float32 outputs: half a unit in the last place at each of the two
    // points.
    double rounding_of_outputs() {
        return 0x1p-24 * sum_of_outputs([](double term) { return std::abs(term); }) / how_.step;
    }

    double objective() {
        return sum_of_outputs([](double term) { return term; });
    }

    template <class Of>
    double sum_of_outputs(const Of& of) {
        ++values_.version;
        const std::vector<Numbers> outputs = run_.forward(values_);
        double sum = 0.0;
        for (std::size_t k = 0; k < outputs.size(); ++k) {
            for (std::size_t i = 0; i < outputs[k].size(); ++i) {
                const double weight = is_loss_ ? (i % 2 == 0 ? kLossSeed : 0.0) : values_.output_gradients[k][i];
                sum += of(weight * outputs[k][i]);
            }
        }
        return sum;
    }

    KernelRun& run_;
    bool is_loss_;
    bool is_narrow_;
    DifferenceStep how_;
    NodeValues values_;
};

}  // namespace

std::vector<std::string> wrong_slopes(KernelRun& run, const NodeCase& node, const NodeValues& values,
                                      const KernelResults& results) {
    Slopes slopes(run, node, values);
    std::vector<std::string> wrong;
    const auto note = [&](std::optional<std::string> text) {
        if (text) {
            wrong.push_back(std::move(*text));
        }
    };
    for (std::size_t i = 0; i < results.input_gradients.size(); ++i) {
        note(slopes.check(&NodeValues::inputs, i, run.specs().inputs[i], results.input_gradients[i],
                          fmt::format("gradient of input {}", i)));
    }
    for (std::size_t i = 0; i < results.parameter_gradients.size(); ++i) {
        note(slopes.check(&NodeValues::parameters, i, run.specs().parameters[i], results.parameter_gradients[i],
                          fmt::format("gradient of parameter {}", i)));
    }
    return wrong;
}

}  // namespace sluice::check
