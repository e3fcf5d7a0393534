// multiply: the product of tensors that are broadcast to one shape. An input's gradient is the product of the output's
// gradient and the other inputs, summed over the elements to which the input was broadcast.
#include "cuda/column_sums.cuh"
#include "cuda/reduce.cuh"
#include "kernels/broadcast.hpp"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

constexpr std::size_t kMostFactors = 64;  // the most inputs of a node

// Kernels take it by value; it has less than 4 KiB.
template <class T>
struct Factors {
    // Computes kSize neighbouring elements of the product, from `element` of the output on.
    template <int kSize>
    __device__ void product(std::uint32_t element, float (&values)[kSize]) const {
        std::uint32_t places[kMostAxes];
        for (int axis = kMostAxes - 1; axis >= 0; --axis) {
            places[axis] = axis < axes ? extents[axis].split(element) : 0;
        }
        for (float& value : values) {
            value = 1.0F;
        }
        for (int f = 0; f < count; ++f) {
            std::uint32_t offset = 0;
            for (int axis = 0; axis < kMostAxes; ++axis) {
                offset += places[axis] * steps[f][axis];
            }
            multiply(from[f] + offset, repeats[f] != 0, values);
        }
    }

    template <int kSize>
    __device__ static void multiply(const T* factor, bool repeats, float (&values)[kSize]) {
        if (repeats) {
            const float number = to_float(*factor);
            for (float& value : values) {
                value *= number;
            }
            return;
        }
        const Pack<T, kSize> in = load_pack<kSize>(factor);
        for (int k = 0; k < kSize; ++k) {
            values[k] *= to_float(in.values[k]);
        }
    }

    const T* from[kMostFactors];
    std::uint32_t steps[kMostFactors][kMostAxes];  // of each factor along each axis
    std::uint8_t repeats[kMostFactors];            // 1: neighbours along the last axis are one number
    Divider extents[kMostAxes];
    int axes;
    int count;
};

template <int kSize, class T>
__global__ void product_kernel(Factors<T> factors, T* to, std::uint32_t packs, bool add) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < packs; i += index_stride()) {
        float values[kSize];
        factors.product(i * kSize, values);
        put_pack(to + i * kSize, values, add);
    }
}

// A term that is summed over the rows of the output, seen as [slices, rows, width].
template <class T, int kSize>
struct ProductTerm {
    Factors<T> factors;
    ColumnShape shape;

    __device__ void add(float (&sums)[kSize], std::uint32_t slice, std::uint32_t row, std::uint32_t column) const {
        float values[kSize];
        factors.product((slice * shape.rows + row) * shape.width + column, values);
        for (int k = 0; k < kSize; ++k) {
            sums[k] += values[k];
        }
    }
};

// A warp sums all places of `copies` to which one place of `kept` was broadcast.
template <class T>
__global__ void product_sum_kernel(Factors<T> factors, AxisWalk kept, AxisWalk copies, T* to, std::uint32_t count,
                                   bool add) {
    const std::uint32_t lane = threadIdx.x % kWarp;
    const std::uint32_t end = copies.places();
    for (std::uint32_t i = blockIdx.x * (blockDim.x / kWarp) + threadIdx.x / kWarp; i < count;
         i += gridDim.x * (blockDim.x / kWarp)) {
        const std::uint32_t first = kept.offset(i);
        float sum[1] = {};
        for (std::uint32_t copy = lane; copy < end; copy += kWarp) {
            float value[1];
            factors.product(first + copies.offset(copy), value);
            sum[0] += value[0];
        }
        sum[0] = sum_over_warp(sum[0]);
        if (lane == 0) {
            put_pack(to + i, sum, add);
        }
    }
}

template <class T>
class Multiply : public NodeKernel {
public:
    Multiply(const sdk::Node& node, const PlanContext& context)
        : NodeKernel(node), shape_(node), n_(sdk::element_count(node.outputs()[0])) {
        std::uint64_t workspace = 0;
        for (std::uint32_t k = 0; k < node.inputs().size(); ++k) {
            counts_.push_back(sdk::element_count(node.inputs()[k]));
            if (node.trains()) {
                context.sink.backward_reads_input(k);
                workspace = std::max(workspace, columns(k) ? columns(k)->workspace() : 0);
            }
        }
        in_packs_ = shape_.axes().back().extent % Pack<T>::kSize == 0;
        context.sink.workspace(workspace);
        context.sink.note("own pass");
    }

    void forward(const sluice_launch& launch) override {
        write_product(launch.stream, factors(launch, counts_.size(), nullptr), sdk::output<T>(launch, 0), false);
    }

    void backward(const sluice_launch& launch) override {
        for (std::size_t k = 0; k < counts_.size(); ++k) {
            T* const to = sdk::input_gradient<T>(launch, k);
            if (to == nullptr) {
                continue;
            }
            const Factors<T> others = factors(launch, k, sdk::output_gradient<T>(launch, 0));
            if (!shape_.is_broadcast(k)) {
                write_product(launch.stream, others, to, adds_gradient(k));
            } else if (const auto shape = columns(k)) {
                write_column_sums(launch, *shape, others, to, adds_gradient(k));
            } else {
                cudnn::launch(launch.stream, blocks_for(counts_[k] * kWarp), kThreads, product_sum_kernel<T>, others,
                              shape_.walk(k, false), shape_.walk(k, true), to, static_cast<std::uint32_t>(counts_[k]),
                              adds_gradient(k));
            }
        }
    }

private:
    // Returns all inputs except `without`, and the output's gradient if it is given.
    [[nodiscard]] Factors<T> factors(const sluice_launch& launch, std::size_t without, const T* gradient) const {
        Factors<T> factors{};
        factors.axes = static_cast<int>(shape_.axes().size());
        for (int axis = 0; axis < factors.axes; ++axis) {
            factors.extents[axis] = Divider(shape_.axes()[static_cast<std::size_t>(axis)].extent);
        }
        if (gradient != nullptr) {
            add_factor(factors, gradient, Broadcast::kOutput);
        }
        for (std::size_t k = 0; k < counts_.size(); ++k) {
            if (k != without) {
                add_factor(factors, sdk::input<T>(launch, k), k);
            }
        }
        return factors;
    }

    void add_factor(Factors<T>& factors, const T* from, std::size_t k) const {
        const std::vector<std::int64_t> steps = shape_.steps(k);
        factors.from[factors.count] = from;
        factors.repeats[factors.count] = steps.back() == 0 ? 1 : 0;
        for (std::size_t axis = 0; axis < steps.size(); ++axis) {
            factors.steps[factors.count][axis] = static_cast<std::uint32_t>(steps[axis]);
        }
        ++factors.count;
    }

    [[nodiscard]] std::optional<ColumnShape> columns(std::size_t k) const {
        const auto axes = shape_.columns(k);
        return axes ? std::optional(ColumnShape(axes->slices, axes->rows, axes->width)) : std::nullopt;
    }

    void write_product(void* stream, const Factors<T>& factors, T* to, bool add) const {
        constexpr int kSize = Pack<T>::kSize;
        const auto packs = static_cast<std::uint32_t>(in_packs_ ? n_ / kSize : n_);
        cudnn::launch(stream, blocks_for(packs), kThreads, in_packs_ ? product_kernel<kSize, T> : product_kernel<1, T>,
                      factors, to, packs, add);
    }

    void write_column_sums(const sluice_launch& launch, const ColumnShape& shape, const Factors<T>& factors, T* to,
                           bool add) const {
        constexpr int kSize = Pack<T>::kSize;
        const SumTarget<T> target{to, shape.width, 1.0F, add};
        if (in_packs_) {
            sum_columns<kSize>(launch.stream, shape, ProductTerm<T, kSize>{factors, shape}, target, launch.workspace);
        } else {
            sum_columns<1>(launch.stream, shape, ProductTerm<T, 1>{factors, shape}, target, launch.workspace);
        }
    }

    Broadcast shape_;
    std::int64_t n_;
    std::vector<std::int64_t> counts_;  // elements of each input
    bool in_packs_ = false;             // no pack of the output crosses the end of the last axis
};

}  // namespace

KernelPtr make_multiply(const PlanContext& context) { return make_typed<Multiply>(context.node(), context); }

}  // namespace sluice::cudnn
