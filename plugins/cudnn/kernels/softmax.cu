// softmax over the last axis. Backward computes dx = y (dy - sum of dy y). Each row is read from memory once; later
// reads by the same group of threads hit the cache.
#include "cuda/row_group.cuh"
#include "kernels/gradient_place.cuh"
#include "kernels/kernels.hpp"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

// x, y [rows, classes]; y may be x. Groups without a row compute the last one and write nothing.
template <class T>
__global__ void softmax_kernel(T* y, const T* x, std::int64_t rows, std::int64_t classes, unsigned threads) {
    const RowGroup group(threads);
    for (std::int64_t first = std::int64_t{blockIdx.x} * group.of_block(); first < rows;
         first += std::int64_t{gridDim.x} * group.of_block()) {
        const std::int64_t row = first + group.index();
        const std::int64_t at = (row < rows ? row : rows - 1) * classes;
        const float largest = largest_of_row(group, x + at, classes);
        float sum = 0.0F;
        for (std::int64_t c = group.rank(); c < classes; c += threads) {
            sum += std::exp(to_float(x[at + c]) - largest);
        }
        const float share = 1.0F / group.sum(sum);
        for (std::int64_t c = group.rank(); c < classes && row < rows; c += threads) {
            y[at + c] = from_float<T>(std::exp(to_float(x[at + c]) - largest) * share);
        }
    }
}

// The gradient may be written over dy, unless it accumulates.
template <class T>
__global__ void softmax_gradient_kernel(GradientPlace<T> to, const T* y, const T* dy, std::int64_t rows,
                                        std::int64_t classes, unsigned threads) {
    const RowGroup group(threads);
    for (std::int64_t first = std::int64_t{blockIdx.x} * group.of_block(); first < rows;
         first += std::int64_t{gridDim.x} * group.of_block()) {
        const std::int64_t row = first + group.index();
        const std::int64_t at = (row < rows ? row : rows - 1) * classes;
        float sum = 0.0F;
        for (std::int64_t c = group.rank(); c < classes; c += threads) {
            sum += to_float(dy[at + c]) * to_float(y[at + c]);
        }
        sum = group.sum(sum);
        for (std::int64_t c = group.rank(); c < classes && row < rows; c += threads) {
            put_gradient(to, at + c, to_float(y[at + c]) * (to_float(dy[at + c]) - sum));
        }
    }
}

template <class T>
class SoftmaxKernel : public NodeKernel {
public:
    explicit SoftmaxKernel(const sdk::Node& node)
        : NodeKernel(node),
          classes_(node.inputs()[0].shape[node.inputs()[0].rank - 1]),
          rows_(sdk::element_count(node.inputs()[0]) / classes_),
          threads_(threads_for_row(classes_)) {}

    void forward(const sluice_launch& launched) override {
        launch(launched.stream, blocks_for_rows(rows_, threads_), kThreads, softmax_kernel<T>,
               sdk::output<T>(launched, 0), sdk::input<T>(launched, 0), rows_, classes_, threads_);
    }

    void backward(const sluice_launch& launched) override {
        if (T* const to = sdk::input_gradient<T>(launched, 0)) {
            const T* const y = static_cast<const T*>(launched.outputs[0]);
            launch(launched.stream, blocks_for_rows(rows_, threads_), kThreads, softmax_gradient_kernel<T>,
                   GradientPlace<T>{to, adds_gradient(0)}, y, sdk::output_gradient<T>(launched, 0), rows_, classes_,
                   threads_);
        }
    }

private:
    std::int64_t classes_;
    std::int64_t rows_;
    unsigned threads_;  // per row
};

}  // namespace

KernelPtr make_softmax(const PlanContext& context) {
    context.sink.backward_reads_output(0);
    context.sink.may_overwrite(0, 0);
    context.sink.may_overwrite_gradient(0, 0);
    return make_typed<SoftmaxKernel>(context.node());
}

}  // namespace sluice::cudnn
