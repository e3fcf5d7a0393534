// pixel_shuffle: a thread writes one element at a time, so that neighbouring threads write neighbouring elements.
#include "cuda/divide.cuh"
#include "cuda/launch.cuh"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

// The small image is [rows, width, channels * square], the enlarged one [rows * factor, width * factor, channels].
struct Shuffle {
    Divider channels;
    Divider factor;
    Divider square;
    Divider width;  // counts columns before, `wide` after
    Divider wide;
    Divider deep;  // counts channels before, `channels` after
};

template <class T>
__global__ void shuffle_kernel(T* to, const T* from, std::uint32_t n, Shuffle shape) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < n; i += index_stride()) {
        std::uint32_t row = i;
        const std::uint32_t channel = shape.channels.split(row);
        std::uint32_t column = shape.wide.split(row);
        const std::uint32_t y = shape.factor.split(row);
        const std::uint32_t x = shape.factor.split(column);
        const std::uint32_t place = y * shape.factor.divisor() + x;
        to[i] = from[(row * shape.width.divisor() + column) * shape.deep.divisor() + channel * shape.square.divisor() +
                     place];
    }
}

template <class T>
__global__ void unshuffle_kernel(T* to, const T* from, std::uint32_t n, Shuffle shape, bool add) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < n; i += index_stride()) {
        std::uint32_t row = i;
        std::uint32_t channel = shape.deep.split(row);
        const std::uint32_t column = shape.width.split(row);
        std::uint32_t y = shape.square.split(channel);
        const std::uint32_t x = shape.factor.split(y);
        const std::uint32_t factor = shape.factor.divisor();
        const T value =
            from[((row * factor + y) * shape.wide.divisor() + column * factor + x) * shape.channels.divisor() +
                 channel];
        to[i] = add ? from_float<T>(to_float(to[i]) + to_float(value)) : value;
    }
}

template <class T>
class PixelShuffle : public NodeKernel {
public:
    explicit PixelShuffle(const sdk::Node& node)
        : NodeKernel(node), n_(static_cast<std::uint32_t>(sdk::element_count(node.inputs()[0]))) {
        const sluice_tensor_spec& input = node.inputs()[0];
        const std::int64_t factor = node.options().integer("factor");
        shape_ = {.channels = Divider(input.shape[3] / (factor * factor)),
                  .factor = Divider(factor),
                  .square = Divider(factor * factor),
                  .width = Divider(input.shape[2]),
                  .wide = Divider(input.shape[2] * factor),
                  .deep = Divider(input.shape[3])};
    }

    void forward(const sluice_launch& launch) override {
        cudnn::launch(launch.stream, blocks_for(n_), kThreads, shuffle_kernel<T>, sdk::output<T>(launch, 0),
                      sdk::input<T>(launch, 0), n_, shape_);
    }

    void backward(const sluice_launch& launch) override {
        if (T* const to = sdk::input_gradient<T>(launch, 0)) {
            cudnn::launch(launch.stream, blocks_for(n_), kThreads, unshuffle_kernel<T>, to,
                          sdk::output_gradient<T>(launch, 0), n_, shape_, adds_gradient(0));
        }
    }

private:
    std::uint32_t n_;
    Shuffle shape_{};
};

}  // namespace

KernelPtr make_pixel_shuffle(const PlanContext& context) {
    context.sink.note("own pass");
    return make_typed<PixelShuffle>(context.node());
}

}  // namespace sluice::cudnn
