// Losses of pairs of elements. An Error has, for prediction a and target b at element i of the tensor:
//   float loss(a, b, i); float slope(a, b, i): its derivative by a; float target_slope(a, b, i): its derivative by b.
// Forward reads both tensors once, backward once more.
#pragma once

#include "kernels/gradient_place.cuh"
#include "kernels/sample_sums.cuh"

namespace sluice::cudnn {

// x, target [N, per_sample]. A sample's first and last elements may lie in packs that it shares with its neighbours.
template <class Error, class Finish>
__global__ void loss_kernel(const float* x, const float* target, std::int64_t per_sample, std::int64_t pieces,
                            Error error, Finish finish, SumPair* partial, float* out) {
    constexpr int kSize = Pack<float>::kSize;
    const std::int64_t sample = blockIdx.x / pieces;
    const std::int64_t piece = blockIdx.x % pieces;
    const std::int64_t begin = sample * per_sample;
    const std::int64_t end = begin + per_sample;
    const std::int64_t first = (begin + kSize - 1) / kSize;  // whole packs [first, last)
    const std::int64_t last = end / kSize;
    float sum = 0.0F;
    for (std::int64_t p = first + piece * kThreads + threadIdx.x; p < last; p += pieces * kThreads) {
        const Pack<float> a = load_pack(x + p * kSize);
        const Pack<float> b = load_pack(target + p * kSize);
        for (int k = 0; k < kSize; ++k) {
            sum += error.loss(a.values[k], b.values[k], p * kSize + k);
        }
    }
    if (piece == 0) {
        const std::int64_t head = first * kSize < end ? first * kSize : end;
        const std::int64_t tail = last * kSize > head ? last * kSize : head;
        for (std::int64_t i = begin + threadIdx.x; i < head; i += kThreads) {
            sum += error.loss(x[i], target[i], i);
        }
        for (std::int64_t i = tail + threadIdx.x; i < end; i += kThreads) {
            sum += error.loss(x[i], target[i], i);
        }
    }
    const float weight = piece == 0 && threadIdx.x == 0 ? static_cast<float>(per_sample) : 0.0F;
    put_piece({sum, weight}, pieces, partial, out, finish);
}

// Writes the gradients of n predictions and of their targets.
template <class Error>
__global__ void slope_kernel(const float* x, const float* target, std::int64_t n, Error error,
                             GradientPlace<float> of_x, GradientPlace<float> of_target,
                             const sluice_step_scalars* scalars) {
    constexpr int kSize = Pack<float>::kSize;
    const auto seed = static_cast<float>(scalars->loss_seed);
    const std::int64_t packs = of_target.to == nullptr ? n / kSize : 0;
    for (std::int64_t p = first_index(); p < packs; p += index_stride()) {
        const std::int64_t at = p * kSize;
        const Pack<float> a = load_pack(x + at);
        const Pack<float> b = load_pack(target + at);
        Pack<float> out = of_x.add ? load_pack(of_x.to + at) : Pack<float>{};
        for (int k = 0; k < kSize; ++k) {
            const float value = seed * error.slope(a.values[k], b.values[k], at + k);
            out.values[k] = of_x.add ? out.values[k] + value : value;
        }
        store_pack(of_x.to + at, out);
    }
    for (std::int64_t i = packs * kSize + first_index(); i < n; i += index_stride()) {
        const float a = x[i];
        const float b = target[i];
        if (of_x.to != nullptr) {
            put_gradient(of_x, i, seed * error.slope(a, b, i));
        }
        if (of_target.to != nullptr) {
            put_gradient(of_target, i, seed * error.target_slope(a, b, i));
        }
    }
}

// The two launches of forward and the one of backward, for [samples, per_sample].
class ElementSums {
public:
    explicit ElementSums(const sluice_tensor_spec& spec)
        : samples_(spec.shape[0]),
          per_sample_(sdk::element_count(spec) / samples_),
          pieces_(pieces_of(samples_, per_sample_, kLeast)) {}

    [[nodiscard]] std::int64_t elements() const { return samples_ * per_sample_; }
    [[nodiscard]] std::int64_t pieces() const { return pieces_; }  // of a sample
    [[nodiscard]] std::uint64_t workspace() const { return partial_bytes(samples_, pieces_); }

    template <class Error, class Finish>
    void forward(const sluice_launch& launched, const Error& error, const Finish& finish) const {
        auto* const partial = static_cast<SumPair*>(launched.workspace);
        auto* const out = sdk::output<float>(launched, 0);
        launch(launched.stream, static_cast<unsigned>(samples_ * pieces_), kThreads, loss_kernel<Error, Finish>,
               sdk::input<float>(launched, 0), sdk::input<float>(launched, 1), per_sample_, pieces_, error, finish,
               partial, out);
        add_pieces(launched.stream, partial, samples_, pieces_, out, finish);
    }

    // adds[i]: the gradient of input i accumulates.
    template <class Error>
    void backward(const sluice_launch& launched, const Error& error, const bool (&adds)[2]) const {
        const GradientPlace<float> of_x{sdk::input_gradient<float>(launched, 0), adds[0]};
        const GradientPlace<float> of_target{sdk::input_gradient<float>(launched, 1), adds[1]};
        if (of_x.to == nullptr && of_target.to == nullptr) {
            return;
        }
        launch(launched.stream, blocks_for(elements() / Pack<float>::kSize), kThreads, slope_kernel<Error>,
               sdk::input<float>(launched, 0), sdk::input<float>(launched, 1), elements(), error, of_x, of_target,
               launched.scalars);
    }

private:
    static constexpr std::int64_t kLeast = std::int64_t{4} * kThreads;  // least elements of a piece

    std::int64_t samples_;
    std::int64_t per_sample_;
    std::int64_t pieces_;  // of a sample
};

}  // namespace sluice::cudnn
