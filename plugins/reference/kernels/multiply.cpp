// multiply, forward and backward. See types/arithmetic/multiply.hpp. The gradient of an input element is summed over
// the elements to which it was broadcast: the output's gradient times the other inputs.
#include <array>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

using Extents = std::array<std::int64_t, SLUICE_MAX_RANK>;

// Returns the steps in a dense tensor of these extents; 0 along an axis of extent 1, which is broadcast.
Extents steps_of(const sluice_tensor_spec& spec) {
    Extents steps{};
    std::int64_t step = 1;
    for (std::int32_t axis = spec.rank - 1; axis >= 0; --axis) {
        steps[static_cast<std::size_t>(axis)] = spec.shape[axis] == 1 ? 0 : step;
        step *= spec.shape[axis];
    }
    return steps;
}

template <class T>
class MultiplyKernel : public NodeKernel<T> {
public:
    explicit MultiplyKernel(const sdk::Node& node)
        : NodeKernel<T>(node), output_(node.outputs()[0]), n_(sdk::element_count(output_)) {
        for (const sluice_tensor_spec& input : node.inputs()) {
            inputs_.push_back(input);
            steps_.push_back(steps_of(input));
        }
    }

    void forward(const sluice_launch& launch) override {
        T* const y = sdk::output<T>(launch, 0);
        for_each_element(launch, n_, [&](std::int64_t i) {
            y[i] = static_cast<T>(product(launch, place_of(i, output_), inputs_.size()));
        });
    }

    void backward(const sluice_launch& launch) override {
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            const std::int64_t count = sdk::element_count(inputs_[k]);
            this->write_gradient(launch, k, count, [&](std::int64_t i) { return gradient(launch, k, i); });
        }
    }

private:
    static Extents place_of(std::int64_t i, const sluice_tensor_spec& spec) {
        Extents place{};
        for (std::int32_t axis = spec.rank - 1; axis >= 0; --axis) {
            place[static_cast<std::size_t>(axis)] = i % spec.shape[axis];
            i /= spec.shape[axis];
        }
        return place;
    }

    static std::int64_t offset_of(const Extents& place, const Extents& steps) {
        std::int64_t offset = 0;
        for (std::size_t axis = 0; axis < place.size(); ++axis) {
            offset += place[axis] * steps[axis];
        }
        return offset;
    }

    // Returns the product of all inputs except input `without`, at one position of the output.
    [[nodiscard]] double product(const sluice_launch& launch, const Extents& place, std::size_t without) const {
        double result = 1.0;
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            if (k != without) {
                result *= static_cast<double>(sdk::input<T>(launch, k)[offset_of(place, steps_[k])]);
            }
        }
        return result;
    }

    [[nodiscard]] double gradient(const sluice_launch& launch, std::size_t k, std::int64_t i) const {
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        const Extents first = place_of(i, inputs_[k]);
        const Extents steps = steps_of(output_);
        sluice_tensor_spec stretched = output_;  // the extents along which input k is repeated
        for (std::int32_t axis = 0; axis < output_.rank; ++axis) {
            stretched.shape[axis] = inputs_[k].shape[axis] == output_.shape[axis] ? 1 : output_.shape[axis];
        }
        const std::int64_t copies = sdk::element_count(stretched);
        double sum = 0.0;
        for (std::int64_t copy = 0; copy < copies; ++copy) {
            Extents place = place_of(copy, stretched);
            for (std::size_t axis = 0; axis < place.size(); ++axis) {
                place[axis] += first[axis];
            }
            sum += static_cast<double>(dy[offset_of(place, steps)]) * product(launch, place, k);
        }
        return sum;
    }

    sluice_tensor_spec output_;
    std::int64_t n_;
    std::vector<sluice_tensor_spec> inputs_;
    std::vector<Extents> steps_;
};

}  // namespace

KernelPtr make_multiply(const sdk::Node& node, const sdk::KernelSink& sink) {
    for (std::uint32_t i = 0; i < node.inputs().size(); ++i) {
        sink.backward_reads_input(i);
    }
    return make_typed<MultiplyKernel>(node);
}

}  // namespace sluice::reference
