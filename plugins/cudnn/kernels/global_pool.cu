// global_average_pool and global_max_pool: the mean or the largest element of each channel of [N, H, W, C].
#include "cuda/column_sums.cuh"
#include "cuda/divide.cuh"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

struct GlobalPoolShape {
    explicit GlobalPoolShape(const sdk::Node& node)
        : batch(node.inputs()[0].shape[0]),
          pixels(node.inputs()[0].shape[1] * node.inputs()[0].shape[2]),
          channels(node.inputs()[0].shape[3]) {}

    [[nodiscard]] ColumnShape columns() const { return {batch, pixels, channels}; }

    std::int64_t batch;
    std::int64_t pixels;
    std::int64_t channels;
};

// The gradient of a mean: every pixel gets the same share of the output's gradient.
template <class T>
struct Spread {
    const T* gradient;
    float share;

    // Returns the gradient of pixel number `pixel` of the image.
    __device__ float of(std::uint32_t element, std::uint32_t /*pixel*/) const {
        return share * to_float(gradient[element]);
    }
};

// The gradient of a maximum: the pixel that had it gets all of the output's gradient.
template <class T>
struct Return {
    const T* gradient;
    const std::uint32_t* from;

    __device__ float of(std::uint32_t element, std::uint32_t pixel) const {
        return from[element] == pixel ? to_float(gradient[element]) : 0.0F;
    }
};

template <int kSize, class T, class Gradient>
__global__ void global_pool_gradient_kernel(T* to, std::uint32_t packs, Divider row, Divider pixels, Gradient gradient,
                                            bool add) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < packs; i += index_stride()) {
        std::uint32_t sample = i;
        const std::uint32_t pack = row.split(sample);
        const std::uint32_t pixel = pixels.split(sample);
        const std::uint32_t element = (sample * row.divisor() + pack) * kSize;
        float values[kSize];
        for (int k = 0; k < kSize; ++k) {
            values[k] = gradient.of(element + k, pixel);
        }
        put_pack(to + i * kSize, values, add);
    }
}

template <int kSize, class T, class Gradient>
void write_gradient(void* stream, const GlobalPoolShape& shape, T* to, const Gradient& gradient, bool add) {
    const std::int64_t packs = shape.batch * shape.pixels * shape.channels / kSize;
    launch(stream, blocks_for(packs), kThreads, global_pool_gradient_kernel<kSize, T, Gradient>, to,
           static_cast<std::uint32_t>(packs), Divider(shape.channels / kSize), Divider(shape.pixels), gradient, add);
}

template <class T, int kSize>
class GlobalAveragePool : public NodeKernel {
public:
    explicit GlobalAveragePool(const PlanContext& context) : NodeKernel(context.node()), shape_(context.node()) {
        context.sink.workspace(shape_.columns().workspace());
    }

    void forward(const sluice_launch& launch) override {
        const ColumnShape columns = shape_.columns();
        const SumTarget<T> target{sdk::output<T>(launch, 0), columns.width, share(), false};
        sum_columns<kSize>(launch.stream, columns, PlainTerm<T, kSize>{sdk::input<T>(launch, 0), columns}, target,
                           launch.workspace);
    }

    void backward(const sluice_launch& launch) override {
        if (T* const to = sdk::input_gradient<T>(launch, 0)) {
            write_gradient<kSize>(launch.stream, shape_, to, Spread<T>{sdk::output_gradient<T>(launch, 0), share()},
                                  adds_gradient(0));
        }
    }

private:
    [[nodiscard]] float share() const { return 1.0F / static_cast<float>(shape_.pixels); }

    GlobalPoolShape shape_;
};

// The largest element that a thread has seen. Of equal elements, the first counts. NaN is larger than all numbers; of
// several NaN, the last counts.
struct Largest {
    float value;
    std::uint32_t pixel;

    // Keeps the larger of both.
    __device__ void meet(const Largest& other) {
        const bool is_later = other.pixel > pixel;
        const bool both = value != value && other.value != other.value;
        const bool is_larger =
            both ? is_later
                 : other.value != other.value ||
                       (value == value && (other.value > value || (other.value == value && !is_later)));
        if (is_larger) {
            *this = other;
        }
    }
};

// Block number sample * groups + group; a group is kSumLanes packs of channels.
template <int kSize, class T>
__global__ void global_max_kernel(ColumnShape shape, const T* x, T* y, std::uint32_t* from) {
    __shared__ Largest shared[kSumRows][kSumLanes * kSize];
    const std::uint32_t groups = (shape.width / kSize + kSumLanes - 1) / kSumLanes;
    const std::uint32_t lane = threadIdx.x % kSumLanes;
    const std::uint32_t row = threadIdx.x / kSumLanes;
    const std::uint32_t sample = blockIdx.x / groups;
    const std::uint32_t channel = (blockIdx.x % groups * kSumLanes + lane) * kSize;
    const bool is_inside = channel < shape.width;
    Largest largest[kSize] = {};
    // A thread without a pixel of its own begins with pixel 0, as the first does.
    for (std::uint32_t p = row < shape.rows ? row : 0, first = p; is_inside && p < shape.rows; p += kSumRows) {
        const Pack<T, kSize> in = load_pack<kSize>(x + (sample * shape.rows + p) * shape.width + channel);
        for (int k = 0; k < kSize; ++k) {
            const Largest here{to_float(in.values[k]), p};
            if (p == first) {
                largest[k] = here;
            } else {
                largest[k].meet(here);
            }
        }
    }
    for (int k = 0; k < kSize; ++k) {
        shared[row][lane * kSize + k] = largest[k];
    }
    __syncthreads();
    for (std::uint32_t half = kSumRows / 2; half > 0; half /= 2) {
        for (int k = 0; row < half && k < kSize; ++k) {
            shared[row][lane * kSize + k].meet(shared[row + half][lane * kSize + k]);
        }
        __syncthreads();
    }
    for (int k = 0; row == 0 && is_inside && k < kSize; ++k) {
        const std::uint32_t at = sample * shape.width + channel + k;
        y[at] = from_float<T>(shared[0][lane * kSize + k].value);
        if (from != nullptr) {
            from[at] = shared[0][lane * kSize + k].pixel;
        }
    }
}

template <class T, int kSize>
class GlobalMaxPool : public NodeKernel {
public:
    explicit GlobalMaxPool(const PlanContext& context)
        : NodeKernel(context.node()), shape_(context.node()), trains_(context.node().trains()) {
        if (trains_) {
            context.sink.saved(static_cast<std::uint64_t>(shape_.batch * shape_.channels) * sizeof(std::uint32_t));
        }
    }

    void forward(const sluice_launch& launch) override {
        const std::int64_t groups = (shape_.channels / kSize + kSumLanes - 1) / kSumLanes;
        cudnn::launch(launch.stream, static_cast<unsigned>(shape_.batch * groups), kThreads,
                      global_max_kernel<kSize, T>, shape_.columns(), sdk::input<T>(launch, 0),
                      sdk::output<T>(launch, 0), trains_ ? sdk::saved<std::uint32_t>(launch, 0) : nullptr);
    }

    void backward(const sluice_launch& launch) override {
        if (T* const to = sdk::input_gradient<T>(launch, 0)) {
            write_gradient<kSize>(launch.stream, shape_, to,
                                  Return<T>{sdk::output_gradient<T>(launch, 0), sdk::saved<std::uint32_t>(launch, 0)},
                                  adds_gradient(0));
        }
    }

private:
    GlobalPoolShape shape_;
    bool trains_;
};

template <template <class, int> class K>
KernelPtr make_global_pool(const PlanContext& context) {
    context.sink.note("own pass");
    return with_float_type(context.node().inputs()[0].dtype, [&](auto zero) -> KernelPtr {
        using T = decltype(zero);
        constexpr int kSize = Pack<T>::kSize;
        if (context.node().inputs()[0].shape[3] % kSize != 0) {
            return std::make_unique<K<T, 1>>(context);
        }
        return std::make_unique<K<T, kSize>>(context);
    });
}

}  // namespace

KernelPtr make_global_average_pool(const PlanContext& context) { return make_global_pool<GlobalAveragePool>(context); }
KernelPtr make_global_max_pool(const PlanContext& context) { return make_global_pool<GlobalMaxPool>(context); }

}  // namespace sluice::cudnn
