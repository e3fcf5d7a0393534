// A thread computes neighbouring channels of one pixel: 16 bytes if the channels are a multiple of that. Backward
// gathers by input pixel, so that one thread sums each gradient.
#include "images/upsample.hpp"

#include "cuda/divide.cuh"
#include "cuda/element_type.cuh"
#include "cuda/launch.cuh"
#include "images/upsample_axis.hpp"

namespace sluice::cudnn {
namespace {

struct UpsampleShape {
    UpsampleShape(const Upsampling& upsampling, int size)
        : packs(upsampling.channels / size),
          height(upsampling.height, upsampling.factor),
          width(upsampling.width, upsampling.factor),
          inputs(static_cast<std::uint32_t>(upsampling.small_count() / size)),
          outputs(static_cast<std::uint32_t>(upsampling.large_count() / size)) {}

    Divider packs;  // of a pixel
    UpsampleAxis height;
    UpsampleAxis width;
    std::uint32_t inputs;  // packs of all pixels
    std::uint32_t outputs;
};

// Load neighbouring channels of pixel (row, column) of a sample, from the input and from the output.
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

template <class Mode, int kSize, class T>
void enlarge(void* stream, const Upsampling& upsampling, const T* small, T* large) {
    const UpsampleShape shape(upsampling, kSize);
    launch(stream, blocks_for(shape.outputs), kThreads, upsample_kernel<Mode, kSize, T>, shape, small, large);
}

template <class Mode, int kSize, class T>
void reduce(void* stream, const Upsampling& upsampling, const T* large, T* small, bool add) {
    const UpsampleShape shape(upsampling, kSize);
    launch(stream, blocks_for(shape.inputs), kThreads, upsample_gradient_kernel<Mode, kSize, T>, shape, large, small,
           add);
}

// Calls body<Mode, kSize, T>() for the upsampling.
template <class Body>
void with_kernel(cudnnDataType_t type, const Upsampling& upsampling, const Body& body) {
    with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        const auto with_mode = [&](auto mode) {
            using Mode = decltype(mode);
            upsampling.channels % Pack<T>::kSize == 0 ? body.template operator()<Mode, Pack<T>::kSize, T>()
                                                      : body.template operator()<Mode, 1, T>();
        };
        upsampling.mode == UpsampleMode::nearest ? with_mode(Nearest{}) : with_mode(Bilinear{});
    });
}

}  // namespace

Upsampling upsampling_of(const sdk::Node& node) {
    const sluice_tensor_spec& small = node.inputs()[0];
    return {.mode = node.options().string("mode") == "nearest" ? UpsampleMode::nearest : UpsampleMode::bilinear,
            .factor = node.options().integer("factor"),
            .batch = small.shape[0],
            .height = small.shape[1],
            .width = small.shape[2],
            .channels = small.shape[3]};
}

void upsample(void* stream, cudnnDataType_t type, const Upsampling& upsampling, const void* small, void* large) {
    with_kernel(type, upsampling, [&]<class Mode, int kSize, class T>() {
        enlarge<Mode, kSize>(stream, upsampling, static_cast<const T*>(small), static_cast<T*>(large));
    });
}

void upsample_gradient(void* stream, cudnnDataType_t type, const Upsampling& upsampling, const void* large, void* small,
                       bool add) {
    with_kernel(type, upsampling, [&]<class Mode, int kSize, class T>() {
        reduce<Mode, kSize>(stream, upsampling, static_cast<const T*>(large), static_cast<T*>(small), add);
    });
}

}  // namespace sluice::cudnn
