// max_pool and average_pool: a thread computes neighbouring channels of one pixel. Backward gathers by input pixel, so
// that one thread sums each gradient.
#include "cuda/launch.cuh"
#include "kernels/node_kernel.hpp"
#include "kernels/pool_axes.hpp"

namespace sluice::cudnn {
namespace {

struct PoolShape {
    PoolShape(const PoolAxes& axes, int size)
        : packs(axes.channels / size),
          height(axes.height),
          width(axes.width),
          inputs(static_cast<std::uint32_t>(axes.batch * packs.divisor()) * height.in.divisor() * width.in.divisor()),
          outputs(static_cast<std::uint32_t>(axes.batch * packs.divisor()) * height.out.divisor() *
                  width.out.divisor()) {}

    Divider packs;  // of a pixel
    PoolAxis height;
    PoolAxis width;
    std::uint32_t inputs;  // packs of all pixels
    std::uint32_t outputs;
};

// Returns the index of the first element of a pack of `size` elements.
constexpr std::uint32_t at(const PoolShape& shape, std::uint32_t pixel, std::uint32_t pack, int size) {
    return (pixel * shape.packs.divisor() + pack) * static_cast<std::uint32_t>(size);
}

// Calls body(r, s, pixel of the input) for each tap of an output's window that is inside the input, row by row.
template <class Body>
__device__ void for_taps(const PoolShape& shape, const ImagePlace& place, const Body& body) {
    const IndexRange rows = shape.height.taps(place.row);
    const IndexRange columns = shape.width.taps(place.column);
    for (std::uint32_t r = rows.begin; r < rows.end; ++r) {
        const std::uint32_t h = static_cast<std::uint32_t>(shape.height.origin(place.row)) + r;
        const std::uint32_t row = (place.sample * shape.height.in.divisor() + h) * shape.width.in.divisor();
        for (std::uint32_t s = columns.begin; s < columns.end; ++s) {
            body(r, s, row + static_cast<std::uint32_t>(shape.width.origin(place.column)) + s);
        }
    }
}

// Calls body(row, column, pixel of the output) for each window that reads an input pixel, in ascending order.
template <class Body>
__device__ void for_readers(const PoolShape& shape, const ImagePlace& place, const Body& body) {
    const IndexRange rows = shape.height.readers(place.row);
    const IndexRange columns = shape.width.readers(place.column);
    for (std::uint32_t oh = rows.begin; oh < rows.end; ++oh) {
        const std::uint32_t row = (place.sample * shape.height.out.divisor() + oh) * shape.width.out.divisor();
        for (std::uint32_t ow = columns.begin; ow < columns.end; ++ow) {
            body(oh, ow, row + ow);
        }
    }
}

// taps: the number of the tap from which each output came; NULL: not needed.
template <int kSize, class T, class Tap>
__global__ void max_pool_kernel(PoolShape shape, const T* x, T* y, Tap* taps) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < shape.outputs; i += index_stride()) {
        const ImagePlace place = place_of(i, shape.packs, shape.width.out, shape.height.out);
        Pack<T, kSize> largest{};
        Pack<Tap, kSize> from{};
        bool has_any = false;
        for_taps(shape, place, [&](std::uint32_t r, std::uint32_t s, std::uint32_t pixel) {
            const Pack<T, kSize> in = load_pack<kSize>(x + at(shape, pixel, place.pack, kSize));
            const auto tap = static_cast<Tap>(r * static_cast<std::uint32_t>(shape.height.kernel) + s);
            for (int k = 0; k < kSize; ++k) {
                const float value = to_float(in.values[k]);
                // NaN is larger than all numbers, so that it is not lost.
                if (!has_any || value > to_float(largest.values[k]) || value != value) {
                    largest.values[k] = in.values[k];
                    from.values[k] = tap;
                }
            }
            has_any = true;
        });
        store_pack(y + i * kSize, largest);
        if (taps != nullptr) {
            store_pack(taps + i * kSize, from);
        }
    }
}

template <int kSize, class T, class Tap>
__global__ void max_pool_gradient_kernel(PoolShape shape, const T* gradient, const Tap* taps, T* to, bool add) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < shape.inputs; i += index_stride()) {
        const ImagePlace place = place_of(i, shape.packs, shape.width.in, shape.height.in);
        float sums[kSize] = {};
        for_readers(shape, place, [&](std::uint32_t oh, std::uint32_t ow, std::uint32_t pixel) {
            const std::uint32_t element = at(shape, pixel, place.pack, kSize);
            const Pack<Tap, kSize> from = load_pack<kSize>(taps + element);
            const Pack<T, kSize> in = load_pack<kSize>(gradient + element);
            const std::uint32_t r = place.row - static_cast<std::uint32_t>(shape.height.origin(oh));
            const std::uint32_t s = place.column - static_cast<std::uint32_t>(shape.width.origin(ow));
            const auto mine = static_cast<Tap>(r * static_cast<std::uint32_t>(shape.height.kernel) + s);
            for (int k = 0; k < kSize; ++k) {
                sums[k] += from.values[k] == mine ? to_float(in.values[k]) : 0.0F;
            }
        });
        put_pack(to + i * kSize, sums, add);
    }
}

// Returns 1 divided by the number of elements in a window's sum.
__device__ float share_of(const PoolShape& shape, std::uint32_t oh, std::uint32_t ow, bool count_padding) {
    if (count_padding) {
        return 1.0F / (static_cast<float>(shape.height.kernel) * static_cast<float>(shape.width.kernel));
    }
    const IndexRange rows = shape.height.taps(oh);
    const IndexRange columns = shape.width.taps(ow);
    return 1.0F / (static_cast<float>(rows.end - rows.begin) * static_cast<float>(columns.end - columns.begin));
}

template <int kSize, class T>
__global__ void average_pool_kernel(PoolShape shape, const T* x, T* y, bool count_padding) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < shape.outputs; i += index_stride()) {
        const ImagePlace place = place_of(i, shape.packs, shape.width.out, shape.height.out);
        float sums[kSize] = {};
        for_taps(shape, place, [&](std::uint32_t, std::uint32_t, std::uint32_t pixel) {
            const Pack<T, kSize> in = load_pack<kSize>(x + at(shape, pixel, place.pack, kSize));
            for (int k = 0; k < kSize; ++k) {
                sums[k] += to_float(in.values[k]);
            }
        });
        const float share = share_of(shape, place.row, place.column, count_padding);
        for (float& sum : sums) {
            sum *= share;
        }
        put_pack(y + i * kSize, sums, false);
    }
}

template <int kSize, class T>
__global__ void average_pool_gradient_kernel(PoolShape shape, const T* gradient, T* to, bool count_padding, bool add) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < shape.inputs; i += index_stride()) {
        const ImagePlace place = place_of(i, shape.packs, shape.width.in, shape.height.in);
        float sums[kSize] = {};
        for_readers(shape, place, [&](std::uint32_t oh, std::uint32_t ow, std::uint32_t pixel) {
            const Pack<T, kSize> in = load_pack<kSize>(gradient + at(shape, pixel, place.pack, kSize));
            const float share = share_of(shape, oh, ow, count_padding);
            for (int k = 0; k < kSize; ++k) {
                sums[k] += to_float(in.values[k]) * share;
            }
        });
        put_pack(to + i * kSize, sums, add);
    }
}

template <class T, int kSize, class Tap>
class MaxPool : public NodeKernel {
public:
    MaxPool(const PlanContext& context, const PoolAxes& axes)
        : NodeKernel(context.node()), shape_(axes, kSize), trains_(context.node().trains()) {
        if (trains_) {
            context.sink.saved(static_cast<std::uint64_t>(sdk::element_count(context.node().outputs()[0])) *
                               sizeof(Tap));
        }
    }

    void forward(const sluice_launch& launch) override {
        cudnn::launch(launch.stream, blocks_for(shape_.outputs), kThreads, max_pool_kernel<kSize, T, Tap>, shape_,
                      sdk::input<T>(launch, 0), sdk::output<T>(launch, 0),
                      trains_ ? sdk::saved<Tap>(launch, 0) : nullptr);
    }

    void backward(const sluice_launch& launch) override {
        if (T* const to = sdk::input_gradient<T>(launch, 0)) {
            cudnn::launch(launch.stream, blocks_for(shape_.inputs), kThreads, max_pool_gradient_kernel<kSize, T, Tap>,
                          shape_, sdk::output_gradient<T>(launch, 0), sdk::saved<Tap>(launch, 0), to, adds_gradient(0));
        }
    }

private:
    PoolShape shape_;
    bool trains_;
};

template <class T, int kSize>
class AveragePool : public NodeKernel {
public:
    AveragePool(const PlanContext& context, const PoolAxes& axes)
        : NodeKernel(context.node()),
          shape_(axes, kSize),
          count_padding_(context.node().options().boolean("count_padding")) {}

    void forward(const sluice_launch& launch) override {
        cudnn::launch(launch.stream, blocks_for(shape_.outputs), kThreads, average_pool_kernel<kSize, T>, shape_,
                      sdk::input<T>(launch, 0), sdk::output<T>(launch, 0), count_padding_);
    }

    void backward(const sluice_launch& launch) override {
        if (T* const to = sdk::input_gradient<T>(launch, 0)) {
            cudnn::launch(launch.stream, blocks_for(shape_.inputs), kThreads, average_pool_gradient_kernel<kSize, T>,
                          shape_, sdk::output_gradient<T>(launch, 0), to, count_padding_, adds_gradient(0));
        }
    }

private:
    PoolShape shape_;
    bool count_padding_;
};

constexpr std::int32_t kByteKernel = 16;  // a byte can number the taps of windows up to 16 by 16

}  // namespace

KernelPtr make_max_pool(const PlanContext& context) {
    const PoolAxes axes(context.node());
    context.sink.note("own pass");
    return with_float_type(context.node().inputs()[0].dtype, [&](auto zero) -> KernelPtr {
        using T = decltype(zero);
        constexpr int kSize = Pack<T>::kSize;
        if (axes.height.kernel > kByteKernel) {
            return std::make_unique<MaxPool<T, 1, std::uint32_t>>(context, axes);
        }
        if (axes.channels % kSize != 0) {
            return std::make_unique<MaxPool<T, 1, std::uint8_t>>(context, axes);
        }
        return std::make_unique<MaxPool<T, kSize, std::uint8_t>>(context, axes);
    });
}

KernelPtr make_average_pool(const PlanContext& context) {
    const PoolAxes axes(context.node());
    context.sink.note("own pass");
    return with_float_type(context.node().inputs()[0].dtype, [&](auto zero) -> KernelPtr {
        using T = decltype(zero);
        constexpr int kSize = Pack<T>::kSize;
        if (axes.channels % kSize != 0) {
            return std::make_unique<AveragePool<T, 1>>(context, axes);
        }
        return std::make_unique<AveragePool<T, kSize>>(context, axes);
    });
}

}  // namespace sluice::cudnn
