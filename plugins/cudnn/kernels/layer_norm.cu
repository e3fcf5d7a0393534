// layer_norm: a warp or a block takes a row, and reads it once from memory and then from the cache. Backward reads the
// activations once more for the parameters' gradients, as in norms/passes.hpp.
#include <cmath>

#include "cuda/reduce.cuh"
#include "kernels/node_kernel.hpp"
#include "norms/group_totals.hpp"
#include "norms/thread_tile.cuh"

namespace sluice::cudnn {
namespace {

constexpr int kLayerRowsAhead = 2;
constexpr std::uint32_t kMostOfWarp = 2048;  // most elements of a row for a warp; a longer row takes a block

template <class T>
struct Rows {
    std::uint32_t count;
    std::uint32_t width;
    double epsilon;
    const T* x;
    const float* gamma;  // [width]; NULL: 1
    const float* beta;   // NULL: 0
    float* mean;         // [count]
    float* inverse;      // 1 / deviation
};

// The row of a thread, which kTeam threads share.
template <unsigned kTeam>
struct RowTile {
    __device__ explicit RowTile(std::uint32_t count)
        : row(blockIdx.x * (kThreads / kTeam) + threadIdx.x / kTeam), exists(row < count) {}

    // Calls body(place, partial) for eight elements at a time, and for the rest of the row.
    template <class Body>
    __device__ void for_eights(std::uint32_t width, const Body& body) const {
        for (std::uint32_t place = threadIdx.x % kTeam * kGroup; exists && place < width; place += kTeam * kGroup) {
            const std::uint32_t left = width - place;
            body(place, PartialPack{left < kGroup ? static_cast<int>(left) : kGroup, width % kGroup == 0});
        }
    }
    // Returns the sum over the row. All threads of the block must call it.
    [[nodiscard]] __device__ float sum(float value) const {
        if constexpr (kTeam == kThreads) {
            return sum_over_block<kThreads>(value);
        } else {
            return sum_over_warp(value);
        }
    }

    std::uint32_t row;
    bool exists;
};

// Loads a parameter of eight features, or `missing` if there is no such parameter.
__device__ inline void load_features(const float* from, std::uint32_t place, PartialPack partial, float missing,
                                     float (&to)[kGroup]) {
    Pack<float, kGroup> pack;
    if (from != nullptr) {
        pack = load_partial(from + place, partial);
    }
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        to[k] = from != nullptr ? pack.values[k] : missing;
    }
}

template <class T, unsigned kTeam>
__global__ void __launch_bounds__(kThreads, 3) forward_kernel(Rows<T> rows, T* y) {
    const RowTile<kTeam> tile(rows.count);
    const std::size_t begin = std::size_t{tile.row} * rows.width;
    const T* const x = rows.x + begin;
    const float pivot = tile.exists ? to_float(x[0]) : 0.0F;
    const auto width = static_cast<float>(rows.width);
    float sum = 0.0F;
    tile.for_eights(rows.width, [&](std::uint32_t place, PartialPack partial) {
        const Pack<T, kGroup> pack = load_partial(x + place, partial);
#pragma unroll
        for (int k = 0; k < kGroup; ++k) {
            sum += k < partial.count ? to_float(pack.values[k]) - pivot : 0.0F;
        }
    });
    const float mean = pivot + tile.sum(sum) / width;
    float squares = 0.0F;
    tile.for_eights(rows.width, [&](std::uint32_t place, PartialPack partial) {
        const Pack<T, kGroup> pack = load_partial(x + place, partial);
#pragma unroll
        for (int k = 0; k < kGroup; ++k) {
            const float distance = k < partial.count ? to_float(pack.values[k]) - mean : 0.0F;
            squares = std::fma(distance, distance, squares);
        }
    });
    const double variance = static_cast<double>(tile.sum(squares)) / rows.width;
    const auto inverse = static_cast<float>(1.0 / std::sqrt(variance + rows.epsilon));
    tile.for_eights(rows.width, [&](std::uint32_t place, PartialPack partial) {
        const Pack<T, kGroup> pack = load_partial(x + place, partial);
        float values[kGroup];
        float gamma[kGroup];
        float beta[kGroup];
        load_features(rows.gamma, place, partial, 1.0F, gamma);
        load_features(rows.beta, place, partial, 0.0F, beta);
#pragma unroll
        for (int k = 0; k < kGroup; ++k) {
            values[k] = std::fma((to_float(pack.values[k]) - mean) * inverse, gamma[k], beta[k]);
        }
        store_partial(y + begin + place, partial, false, values);
    });
    if (tile.exists && rows.mean != nullptr && threadIdx.x % kTeam == 0) {
        rows.mean[tile.row] = mean;
        rows.inverse[tile.row] = inverse;
    }
}

// With s = dy * gamma and h the normalised x: dx = inverse * (s - mean of s - h * mean of s * h).
template <class T, unsigned kTeam>
__global__ void __launch_bounds__(kThreads, 3) gradient_kernel(Rows<T> rows, const T* gradient, T* to, bool add) {
    const RowTile<kTeam> tile(rows.count);
    const std::size_t begin = std::size_t{tile.row} * rows.width;
    const float mean = tile.exists ? rows.mean[tile.row] : 0.0F;
    const float inverse = tile.exists ? rows.inverse[tile.row] : 0.0F;
    // Calls use(k, s, h) for each feature.
    const auto for_features = [&](std::uint32_t place, PartialPack partial, const auto& use) {
        const Pack<T, kGroup> x = load_partial(rows.x + begin + place, partial);
        const Pack<T, kGroup> dy = load_partial(gradient + begin + place, partial);
        float gamma[kGroup];
        load_features(rows.gamma, place, partial, 1.0F, gamma);
#pragma unroll
        for (int k = 0; k < kGroup; ++k) {
            use(k, to_float(dy.values[k]) * gamma[k], (to_float(x.values[k]) - mean) * inverse);
        }
    };
    float sum = 0.0F;
    float product = 0.0F;
    tile.for_eights(rows.width, [&](std::uint32_t place, PartialPack partial) {
        for_features(place, partial, [&](int, float s, float h) {
            sum += s;
            product = std::fma(s, h, product);
        });
    });
    const float sum_share = tile.sum(sum) / static_cast<float>(rows.width);
    const float product_share = tile.sum(product) / static_cast<float>(rows.width);
    tile.for_eights(rows.width, [&](std::uint32_t place, PartialPack partial) {
        float values[kGroup];
        for_features(place, partial,
                     [&](int k, float s, float h) { values[k] = inverse * (s - sum_share - h * product_share); });
        store_partial(to + begin + place, partial, add, values);
    });
}

// Sums dy and dy * h for each feature. to: [blocks, 2, width] of the tiles.
template <class T>
__global__ void __launch_bounds__(kThreads, 3)
    feature_sums_kernel(Tiles tiles, Rows<T> rows, const T* gradient, float* to) {
    struct Loaded {
        Pack<T, kGroup> x;
        Pack<T, kGroup> gradient;
    };
    const ThreadTile tile(tiles, Walk::up);
    float sums[2][kGroup] = {};
    walk_rows<kLayerRowsAhead>(
        tile,
        [&](std::int64_t at, PartialPack partial) {
            return Loaded{load_partial(rows.x + at, partial), load_partial(gradient + at, partial)};
        },
        [&](std::int64_t at, const Loaded& loaded, PartialPack partial) {
            std::uint32_t row = static_cast<std::uint32_t>(at) / rows.width;
            std::uint32_t feature = static_cast<std::uint32_t>(at) % rows.width;
#pragma unroll
            for (int k = 0; k < kGroup; ++k) {  // a loop up to partial.count would not keep the arrays in registers
                if (k < partial.count) {
                    const float h = (to_float(loaded.x.values[k]) - rows.mean[row]) * rows.inverse[row];
                    const float dy = to_float(loaded.gradient.values[k]);
                    sums[0][k] += dy;
                    sums[1][k] = std::fma(dy, h, sums[1][k]);
                }
                if (++feature == rows.width) {
                    feature = 0;
                    ++row;
                }
            }
        });
    sum_over_tile(tiles, tile, sums);
    store_sums(tiles, tile, sums, to);
}

template <class T>
class LayerNorm : public NodeKernel {
public:
    LayerNorm(const sdk::Node& node, const sdk::KernelSink& sink)
        : NodeKernel(node),
          affine_(!node.parameters().empty()),
          trains_(node.trains()),
          epsilon_(node.options().number("epsilon")) {
        const sluice_tensor_spec& x = node.inputs()[0];
        for (std::int64_t i = 0; i < x.rank; ++i) {
            (i < x.rank - node.options().integer("axes") ? count_ : width_) *= static_cast<std::uint32_t>(x.shape[i]);
        }
        tiles_ = make_tiles({1, count_, width_}, kRowsSummed, blocks_at_once(feature_sums_kernel<T>));
        if (trains_) {
            sink.saved(count_ * sizeof(float));  // mean
            sink.saved(count_ * sizeof(float));  // 1 / deviation
            sink.workspace(affine_ ? tiles_.sums_bytes() : 0);
            sink.backward_reads_input(0);
        }
        sink.may_overwrite(0, 0);
        sink.may_overwrite_gradient(0, 0);
        sink.note("own passes");
    }

    void forward(const sluice_launch& launch) override {
        const auto kernel = fits_warp() ? forward_kernel<T, kWarp> : forward_kernel<T, kThreads>;
        cudnn::launch(launch.stream, row_blocks(), kThreads, kernel, rows(launch), sdk::output<T>(launch, 0));
    }

    void backward(const sluice_launch& launch) override {
        const T* const gradient = sdk::output_gradient<T>(launch, 0);
        const ParameterGradients parameters{.inverse = nullptr,
                                            .gamma = affine_ ? sdk::parameter_gradient(launch, 0) : nullptr,
                                            .beta = affine_ ? sdk::parameter_gradient(launch, 1) : nullptr,
                                            .adds = launch.accumulate_parameters != 0};
        if (parameters.gamma != nullptr || parameters.beta != nullptr) {
            auto* const sums = static_cast<float*>(launch.workspace);
            cudnn::launch(launch.stream, tiles_.grid(), tiles_.threads(), feature_sums_kernel<T>, tiles_, rows(launch),
                          gradient, sums);
            launch_parameter_gradients(launch.stream, tiles_, sums, parameters);
        }
        if (T* const to = sdk::input_gradient<T>(launch, 0)) {
            const auto kernel = fits_warp() ? gradient_kernel<T, kWarp> : gradient_kernel<T, kThreads>;
            cudnn::launch(launch.stream, row_blocks(), kThreads, kernel, rows(launch), gradient, to, adds_gradient(0));
        }
    }

private:
    [[nodiscard]] bool fits_warp() const { return width_ <= kMostOfWarp; }
    [[nodiscard]] unsigned row_blocks() const {
        const unsigned together = fits_warp() ? kThreads / kWarp : 1;
        return (count_ + together - 1) / together;
    }
    [[nodiscard]] Rows<T> rows(const sluice_launch& launch) const {
        return {.count = count_,
                .width = width_,
                .epsilon = epsilon_,
                .x = sdk::input<T>(launch, 0),
                .gamma = affine_ ? sdk::parameter(launch, 0) : nullptr,
                .beta = affine_ ? sdk::parameter(launch, 1) : nullptr,
                .mean = trains_ ? sdk::saved<float>(launch, 0) : nullptr,
                .inverse = trains_ ? sdk::saved<float>(launch, 1) : nullptr};
    }

    bool affine_;
    bool trains_;
    double epsilon_;
    std::uint32_t count_ = 1;
    std::uint32_t width_ = 1;
    Tiles tiles_{};
};

}  // namespace

KernelPtr make_layer_norm(const PlanContext& context) { return make_typed<LayerNorm>(context.node(), context.sink); }

}  // namespace sluice::cudnn
