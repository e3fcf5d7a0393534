// layer_scale and prelu: a thread takes eight neighbouring elements and the factors of their channels. Backward reads
// the activations once more for the gradients of the factors, as in norms/passes.hpp.
#include "cuda/divide.cuh"
#include "cuda/reduce.cuh"
#include "kernels/node_kernel.hpp"
#include "norms/group_totals.hpp"
#include "norms/thread_tile.cuh"

namespace sluice::cudnn {
namespace {

constexpr int kFactorRowsAhead = 2;

// Functions of x and the factor of its channel.
struct ScaleFunction {
    __device__ static float value(float x, float factor) { return factor * x; }
    __device__ static float slope(float, float factor) { return factor; }
    __device__ static float factor_slope(float x) { return x; }
};

struct PreluFunction {
    __device__ static float value(float x, float factor) { return x < 0.0F ? factor * x : x; }
    __device__ static float slope(float x, float factor) { return x > 0.0F ? 1.0F : factor; }
    __device__ static float factor_slope(float x) { return x > 0.0F ? 0.0F : x; }
};

struct Factors {
    const float* values;
    Divider channels;
    bool is_shared;  // one factor for all channels

    __device__ void load(std::uint32_t group, float (&to)[kGroup]) const {
        std::uint32_t row = group * kGroup;
        std::uint32_t c = channels.split(row);
        for (float& factor : to) {
            factor = values[is_shared ? 0 : c];
            c = c + 1 == channels.divisor() ? 0 : c + 1;
        }
    }
};

template <class Function, class T>
__global__ void factor_forward_kernel(T* to, const T* x, Factors factors, std::int64_t n) {
    const auto groups = static_cast<std::uint32_t>((n + kGroup - 1) / kGroup);
    for (auto g = static_cast<std::uint32_t>(first_index()); g < groups; g += index_stride()) {
        Pack<T, kGroup> pack = load_group(x, g, n);
        float factor[kGroup];
        factors.load(g, factor);
        for (int k = 0; k < kGroup; ++k) {
            pack.values[k] = from_float<T>(Function::value(to_float(pack.values[k]), factor[k]));
        }
        store_group(to, g, n, pack);
    }
}

template <class Function, class T>
__global__ void factor_backward_kernel(T* to, const T* x, const T* gradient, Factors factors, std::int64_t n,
                                       bool add) {
    const auto groups = static_cast<std::uint32_t>((n + kGroup - 1) / kGroup);
    for (auto g = static_cast<std::uint32_t>(first_index()); g < groups; g += index_stride()) {
        const Pack<T, kGroup> in = load_group(x, g, n);
        Pack<T, kGroup> out = load_group(gradient, g, n);
        const Pack<T, kGroup> there = add ? load_group(to, g, n) : Pack<T, kGroup>{};
        float factor[kGroup];
        factors.load(g, factor);
        for (int k = 0; k < kGroup; ++k) {
            const float mine = to_float(out.values[k]) * Function::slope(to_float(in.values[k]), factor[k]);
            out.values[k] = from_float<T>(add ? to_float(there.values[k]) + mine : mine);
        }
        store_group(to, g, n, out);
    }
}

// Sums the gradients of the factors for each channel into the second of two sums. to: [blocks, 2, width] of the tiles.
template <class Function, class T>
__global__ void __launch_bounds__(kThreads, 3)
    factor_sums_kernel(Tiles tiles, const T* x, const T* gradient, float* to) {
    struct Loaded {
        Pack<T, kGroup> x;
        Pack<T, kGroup> gradient;
    };
    const ThreadTile tile(tiles, Walk::up);
    float sums[2][kGroup] = {};
    walk_rows<kFactorRowsAhead>(
        tile,
        [&](std::int64_t at, PartialPack partial) {
            return Loaded{load_partial(x + at, partial), load_partial(gradient + at, partial)};
        },
        [&](std::int64_t, const Loaded& loaded, PartialPack partial) {
#pragma unroll
            for (int k = 0; k < kGroup; ++k) {
                const float slope = Function::factor_slope(to_float(loaded.x.values[k]));
                sums[1][k] =
                    k < partial.count ? std::fma(to_float(loaded.gradient.values[k]), slope, sums[1][k]) : sums[1][k];
            }
        });
    sum_over_tile(tiles, tile, sums);
    store_sums(tiles, tile, sums, to);
}

// One block: *to = the sum of `count` numbers; with `add` it is added.
__global__ void sum_channels_kernel(const float* from, std::uint32_t count, float* to, bool add) {
    float sum = 0.0F;
    for (std::uint32_t c = threadIdx.x; c < count; c += kThreads) {
        sum += from[c];
    }
    const float all = sum_over_block<kThreads>(sum);
    if (threadIdx.x == 0) {
        *to = add ? *to + all : all;
    }
}

template <class Function>
struct FactorsOf {
    template <class T>
    class Kernel : public NodeKernel {
    public:
        Kernel(const sdk::Node& node, const sdk::KernelSink& sink)
            : NodeKernel(node),
              n_(sdk::element_count(node.inputs()[0])),
              channels_(node.inputs()[0].shape[node.inputs()[0].rank - 1]),
              is_shared_(sdk::element_count(node.parameters()[0]) < channels_) {
            if (node.trains()) {
                tiles_ = make_tiles({1, n_ / channels_, channels_}, kRowsSummed,
                                    blocks_at_once(factor_sums_kernel<Function, T>));
                sink.workspace(tiles_.sums_bytes() + static_cast<std::uint64_t>(channels_) * sizeof(float));
                sink.backward_reads_input(0);
            }
            sink.note("own passes");
        }

        void forward(const sluice_launch& launch) override {
            cudnn::launch(launch.stream, blocks_for(groups()), kThreads, factor_forward_kernel<Function, T>,
                          sdk::output<T>(launch, 0), sdk::input<T>(launch, 0), factors(launch), n_);
        }

        void backward(const sluice_launch& launch) override {
            const T* const x = sdk::input<T>(launch, 0);
            const T* const gradient = sdk::output_gradient<T>(launch, 0);
            if (sdk::parameter_gradient(launch, 0) != nullptr) {
                factor_gradients(launch, x, gradient);
            }
            if (T* const to = sdk::input_gradient<T>(launch, 0)) {
                cudnn::launch(launch.stream, blocks_for(groups()), kThreads, factor_backward_kernel<Function, T>, to, x,
                              gradient, factors(launch), n_, adds_gradient(0));
            }
        }

    private:
        [[nodiscard]] std::int64_t groups() const { return (n_ + kGroup - 1) / kGroup; }
        [[nodiscard]] Factors factors(const sluice_launch& launch) const {
            return {.values = sdk::parameter(launch, 0), .channels = Divider(channels_), .is_shared = is_shared_};
        }

        void factor_gradients(const sluice_launch& launch, const T* x, const T* gradient) const {
            auto* const sums = static_cast<float*>(launch.workspace);
            float* const of_channels = sums + tiles_.sums_bytes() / sizeof(float);
            float* const to = sdk::parameter_gradient(launch, 0);
            const bool adds = launch.accumulate_parameters != 0;
            cudnn::launch(launch.stream, tiles_.grid(), tiles_.threads(), factor_sums_kernel<Function, T>, tiles_, x,
                          gradient, sums);
            launch_parameter_gradients(launch.stream, tiles_, sums,
                                       {.inverse = nullptr,
                                        .gamma = is_shared_ ? of_channels : to,
                                        .beta = nullptr,
                                        .adds = adds && !is_shared_});
            if (is_shared_) {
                cudnn::launch(launch.stream, 1, kThreads, sum_channels_kernel, of_channels,
                              static_cast<std::uint32_t>(channels_), to, adds);
            }
        }

        std::int64_t n_;
        std::int64_t channels_;
        bool is_shared_;
        Tiles tiles_{};
    };
};

}  // namespace

KernelPtr make_layer_scale(const PlanContext& context) {
    return make_typed<FactorsOf<ScaleFunction>::template Kernel>(context.node(), context.sink);
}

KernelPtr make_prelu(const PlanContext& context) {
    return make_typed<FactorsOf<PreluFunction>::template Kernel>(context.node(), context.sink);
}

}  // namespace sluice::cudnn
