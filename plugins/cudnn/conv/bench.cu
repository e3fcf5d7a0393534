#include "conv/bench.hpp"

#include <algorithm>

#include "conv/geometry.hpp"
#include "cuda/element_type.cuh"
#include "cuda/launch.cuh"
#include "norms/passes.hpp"

namespace sluice::cudnn {
namespace {

// Fills with numbers of [-0.5, 0.5). With zeros a GPU would draw less power and run faster than in training.
template <class T>
__global__ void fill_kernel(T* to, std::int64_t n) {
    for (std::int64_t i = first_index(); i < n; i += index_stride()) {
        const unsigned mixed = static_cast<unsigned>(i) * 2654435761U;
        to[i] = from_float<T>(static_cast<float>(mixed >> 16) / 65536.0F - 0.5F);
    }
}

void fill(const BenchStream& stream, cudnnDataType_t type, std::int64_t count, const BenchMemory& memory) {
    with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        launch(stream.get(), blocks_for(count), kThreads, fill_kernel<T>, static_cast<T*>(memory.get()), count);
    });
}

Tiles tiles_of_sums(const ConvProblem& p) {
    Tiles tiles{};
    if (p.sums) {
        with_element_type(p.image, [&](auto zero) {
            tiles = statistics_tiles<decltype(zero)>({1, y_count(p) / p.filters, p.filters});
        });
    }
    return tiles;
}

std::uint64_t sum_bytes(const ConvProblem& p, const Tiles& tiles) {
    return p.sums ? std::max<std::uint64_t>(tiles.sums_bytes(), 2 * sizeof(float) * p.filters) : 0;
}

std::int64_t bias_count(const ConvProblem& p) { return std::max(p.filters, p.channels); }

std::uint64_t bytes_of(cudnnDataType_t type, std::int64_t count) {
    return static_cast<std::uint64_t>(count) * size_of(type);
}

}  // namespace

Bench::Bench(const ConvProblem& p, const Handle& handle, std::uint64_t workspace)
    : problem_(p),
      handle_(handle),
      x_(bytes_of(p.image, x_count(p))),
      w_(bytes_of(p.kernels, w_count(p))),
      y_(bytes_of(p.image, y_count(p))),
      bias_(bytes_of(CUDNN_DATA_FLOAT, bias_count(p))),
      bias_in_graph_(bytes_of(p.image, bias_count(p))),
      sum_tiles_(tiles_of_sums(p)),
      sums_(sum_bytes(p, sum_tiles_)),
      workspace_(workspace) {
    fill(stream_, p.image, x_count(p), x_);
    fill(stream_, p.kernels, w_count(p), w_);
    fill(stream_, p.image, y_count(p), y_);
    fill(stream_, CUDNN_DATA_FLOAT, bias_count(p), bias_);
    fill(stream_, p.image, bias_count(p), bias_in_graph_);
    samples_.emplace(p, stream(), memory());
}

// The stream is destroyed here, so the handle must not keep it. An error is harmless: the next run sets its own stream.
Bench::~Bench() { cudnnSetStream(handle_.native(), nullptr); }

ConvMemory Bench::memory() const {
    return {.x = x_.get(),
            .w = w_.get(),
            .y = y_.get(),
            .bias = static_cast<const float*>(bias_.get()),
            .bias_in_graph = bias_in_graph_.get(),
            .sums = static_cast<float*>(sums_.get())};
}

// Restores what the result held when the samples were computed, so that the comparison finds numbers that a pass does
// not write.
void Bench::fill_result() const {
    switch (problem_.direction) {
        case Direction::forward:
            return fill(stream_, problem_.image, y_count(problem_), y_);
        case Direction::backward_data:
            return fill(stream_, problem_.image, x_count(problem_), x_);
        case Direction::backward_weights:
            return fill(stream_, problem_.kernels, w_count(problem_), w_);
    }
}

void Bench::expect_right(const ConvPass& pass) const {
    fill_result();
    put(pass);
    wait();
    if (const auto difference = samples_->difference(stream(), memory())) {
        throw sdk::Failure(SLUICE_UNSUPPORTED, *difference);
    }
}

void Bench::put(const ConvPass& pass) const {
    pass.run(handle_, stream(), memory(), workspace_.get());
    if (problem_.sums && !pass.writes_sums()) {
        with_element_type(problem_.image, [&](auto zero) {
            using T = decltype(zero);
            launch_statistics(stream(), sum_tiles_, static_cast<const T*>(y_.get()), static_cast<float*>(sums_.get()));
        });
    }
}

void Bench::wait() const { check(cudaStreamSynchronize(stream()), "measuring a convolution"); }

}  // namespace sluice::cudnn
