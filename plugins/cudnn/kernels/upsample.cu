// upsample, nearest and bilinear: a thread computes neighbouring channels of one pixel. Backward gathers by input
// pixel, so that each gradient is summed by one thread.
#include "cuda/divide.cuh"
#include "cuda/launch.cuh"
#include "kernels/node_kernel.hpp"
#include "kernels/upsample_axis.hpp"

namespace sluice::cudnn {
namespace {

struct UpsampleShape {
    UpsampleShape(const sdk::Node& node, int size)
        : packs(node.inputs()[0].shape[3] / size),
          height(node.inputs()[0].shape[1], node.options().integer("factor")),
          width(node.inputs()[0].shape[2], node.options().integer("factor")),
          inputs(static_cast<std::uint32_t>(sdk::element_count(node.inputs()[0]) / size)),
          outputs(static_cast<std::uint32_t>(sdk::element_count(node.outputs()[0]) / size)) {}

    Divider packs;  // of a pixel
    UpsampleAxis height;
    UpsampleAxis width;
    std::uint32_t inputs;  // packs of all pixels
    std::uint32_t outputs;
};

// Neighbouring channels of pixel (row, column) of a sample, on the side of the input and of the output.
template <int kSize, class T>
__device__ Pack<T, kSize> load_input(const UpsampleShape& shape, const T* x, const ImagePlace& place, std::uint32_t row,
                                     std::uint32_t column) {
    const std::uint32_t pixel = (place.sample * shape.height.in.divisor() + row) * shape.width.in.divisor() + column;
    return load_pack<kSize>(x + (pixel * shape.packs.divisor() + place.pack) * kSize);
}
template <int kSize, class T>
__device__ Pack<T, kSize> load_output(const UpsampleShape& shape, const T* y, const ImagePlace& place,
                                      std::uint32_t row, std::uint32_t column) {
    const std::uint32_t pixel = (place.sample * shape.height.out.divisor() + row) * shape.width.out.divisor() + column;
    return load_pack<kSize>(y + (pixel * shape.packs.divisor() + place.pack) * kSize);
}

struct Nearest {
    template <int kSize, class T>
    __device__ static Pack<T, kSize> value(const UpsampleShape& shape, const T* x, const ImagePlace& place) {
        return load_input<kSize>(shape, x, place, shape.height.factor.quotient(place.row),
                                 shape.width.factor.quotient(place.column));
    }

    template <int kSize, class T>
    __device__ static void gradient(const UpsampleShape& shape, const T* dy, const ImagePlace& place,
                                    float (&sums)[kSize]) {
        const std::uint32_t factor = shape.height.factor.divisor();
        for (std::uint32_t a = 0; a < factor; ++a) {
            for (std::uint32_t b = 0; b < factor; ++b) {
                const Pack<T, kSize> in =
                    load_output<kSize>(shape, dy, place, place.row * factor + a, place.column * factor + b);
                for (int k = 0; k < kSize; ++k) {
                    sums[k] += to_float(in.values[k]);
                }
            }
        }
    }
};

struct Bilinear {
    template <int kSize, class T>
    __device__ static Pack<T, kSize> value(const UpsampleShape& shape, const T* x, const ImagePlace& place) {
        const Mix row = shape.height.mix(place.row);
        const Mix column = shape.width.mix(place.column);
        const Pack<T, kSize> a = load_input<kSize>(shape, x, place, row.low, column.low);
        const Pack<T, kSize> b = load_input<kSize>(shape, x, place, row.low, column.high);
        const Pack<T, kSize> c = load_input<kSize>(shape, x, place, row.high, column.low);
        const Pack<T, kSize> d = load_input<kSize>(shape, x, place, row.high, column.high);
        Pack<T, kSize> mixed;
        for (int k = 0; k < kSize; ++k) {
            const float top = (1.0F - column.part) * to_float(a.values[k]) + column.part * to_float(b.values[k]);
            const float bottom = (1.0F - column.part) * to_float(c.values[k]) + column.part * to_float(d.values[k]);
            mixed.values[k] = from_float<T>((1.0F - row.part) * top + row.part * bottom);
        }
        return mixed;
    }

    template <int kSize, class T>
    __device__ static void gradient(const UpsampleShape& shape, const T* dy, const ImagePlace& place,
                                    float (&sums)[kSize]) {
        const IndexRange rows = shape.height.readers(place.row);
        const IndexRange columns = shape.width.readers(place.column);
        for (std::uint32_t oh = rows.begin; oh < rows.end; ++oh) {
            const float row = shape.height.share(oh, place.row);
            for (std::uint32_t ow = columns.begin; ow < columns.end; ++ow) {
                const float share = row * shape.width.share(ow, place.column);
                const Pack<T, kSize> in = load_output<kSize>(shape, dy, place, oh, ow);
                for (int k = 0; k < kSize; ++k) {
                    sums[k] += share * to_float(in.values[k]);
                }
            }
        }
    }
};

template <class Mode, int kSize, class T>
__global__ void upsample_kernel(UpsampleShape shape, const T* x, T* y) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < shape.outputs; i += index_stride()) {
        const ImagePlace place = place_of(i, shape.packs, shape.width.out, shape.height.out);
        store_pack(y + i * kSize, Mode::template value<kSize>(shape, x, place));
    }
}

template <class Mode, int kSize, class T>
__global__ void upsample_gradient_kernel(UpsampleShape shape, const T* dy, T* dx, bool add) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < shape.inputs; i += index_stride()) {
        float sums[kSize] = {};
        Mode::template gradient<kSize>(shape, dy, place_of(i, shape.packs, shape.width.in, shape.height.in), sums);
        put_pack(dx + i * kSize, sums, add);
    }
}

template <class Mode, class T, int kSize>
class Upsample : public NodeKernel {
public:
    explicit Upsample(const sdk::Node& node) : NodeKernel(node), shape_(node, kSize) {}

    void forward(const sluice_launch& launch) override {
        cudnn::launch(launch.stream, blocks_for(shape_.outputs), kThreads, upsample_kernel<Mode, kSize, T>, shape_,
                      sdk::input<T>(launch, 0), sdk::output<T>(launch, 0));
    }

    void backward(const sluice_launch& launch) override {
        if (T* const dx = sdk::input_gradient<T>(launch, 0)) {
            cudnn::launch(launch.stream, blocks_for(shape_.inputs), kThreads, upsample_gradient_kernel<Mode, kSize, T>,
                          shape_, sdk::output_gradient<T>(launch, 0), dx, adds_gradient(0));
        }
    }

private:
    UpsampleShape shape_;
};

template <class Mode>
KernelPtr make_upsample_of(const PlanContext& context) {
    const sdk::Node node = context.node();
    context.sink.note("own pass");
    return with_float_type(node.inputs()[0].dtype, [&](auto zero) -> KernelPtr {
        using T = decltype(zero);
        constexpr int kSize = Pack<T>::kSize;
        if (node.inputs()[0].shape[3] % kSize != 0) {
            return std::make_unique<Upsample<Mode, T, 1>>(node);
        }
        return std::make_unique<Upsample<Mode, T, kSize>>(node);
    });
}

}  // namespace

KernelPtr make_upsample(const PlanContext& context) {
    return context.node().options().string("mode") == "nearest" ? make_upsample_of<Nearest>(context)
                                                                : make_upsample_of<Bilinear>(context);
}

}  // namespace sluice::cudnn
