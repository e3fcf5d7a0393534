#include "conv/trial.hpp"

#include <algorithm>
#include <numeric>

#include "conv/element_type.cuh"
#include "conv/geometry.hpp"
#include "cuda/launch.cuh"

namespace sluice::cudnn {
namespace {

class DeviceMemory {
public:
    explicit DeviceMemory(std::uint64_t bytes) {
        check(cudaMalloc(&block_, std::max<std::uint64_t>(bytes, 1)), "taking memory to measure a convolution");
    }
    ~DeviceMemory() { cudaFree(block_); }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    [[nodiscard]] void* get() const { return block_; }

private:
    void* block_ = nullptr;
};

class Stream {
public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream"); }
    ~Stream() { cudaStreamDestroy(stream_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    [[nodiscard]] cudaStream_t get() const { return stream_; }
    void wait() const { check(cudaStreamSynchronize(stream_), "measuring a convolution"); }

private:
    cudaStream_t stream_ = nullptr;
};

class Event {
public:
    Event() { check(cudaEventCreate(&event_), "making an event"); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record(const Stream& stream) const { check(cudaEventRecord(event_, stream.get()), "recording an event"); }
    // Milliseconds; both have happened.
    [[nodiscard]] float since(const Event& before) const {
        float time = 0.0F;
        check(cudaEventElapsedTime(&time, before.event_, event_), "reading a clock");
        return time;
    }

private:
    cudaEvent_t event_ = nullptr;
};

// Numbers of [-0.5, 0.5): with zeros a GPU draws less power and is faster than in training.
template <class T>
__global__ void fill_kernel(T* to, std::int64_t n) {
    for (std::int64_t i = first_index(); i < n; i += index_stride()) {
        const unsigned mixed = static_cast<unsigned>(i) * 2654435761U;
        to[i] = from_float<T>(static_cast<float>(mixed >> 16) / 65536.0F - 0.5F);
    }
}

struct Tensor {
    Tensor(const Stream& stream, cudnnDataType_t type, std::int64_t count)
        : memory(static_cast<std::uint64_t>(count) * size_of(type)) {
        with_element_type(type, [&](auto zero) {
            using T = decltype(zero);
            launch(stream.get(), blocks_for(count), kThreads, fill_kernel<T>, static_cast<T*>(memory.get()), count);
        });
    }
    DeviceMemory memory;
};

std::uint64_t largest_workspace(const std::vector<std::unique_ptr<ConvPass>>& passes) {
    std::uint64_t bytes = 0;
    for (const auto& pass : passes) {
        bytes = std::max(bytes, pass->workspace());
    }
    return bytes;
}

class Bench {
public:
    Bench(const ConvProblem& p, const Handle& handle, std::uint64_t workspace)
        : handle_(handle),
          x_(stream_, p.image, x_count(p)),
          w_(stream_, p.kernels, w_count(p)),
          y_(stream_, p.image, y_count(p)),
          bias_(stream_, CUDNN_DATA_FLOAT, std::max(p.filters, p.channels)),
          bias_in_graph_(stream_, p.image, std::max(p.filters, p.channels)),
          workspace_(workspace) {}

    // Milliseconds of `runs` runs, one after the other.
    [[nodiscard]] float time(const ConvPass& pass, int runs) const {
        before_.record(stream_);
        for (int run = 0; run < runs; ++run) {
            pass.run(handle_, stream_.get(),
                     {.x = x_.memory.get(),
                      .w = w_.memory.get(),
                      .y = y_.memory.get(),
                      .bias = static_cast<const float*>(bias_.memory.get()),
                      .bias_in_graph = bias_in_graph_.memory.get()},
                     workspace_.get());
        }
        after_.record(stream_);
        stream_.wait();
        return after_.since(before_);
    }

private:
    const Handle& handle_;
    Stream stream_;
    Tensor x_;
    Tensor w_;
    Tensor y_;
    Tensor bias_;
    Tensor bias_in_graph_;
    DeviceMemory workspace_;
    Event before_;
    Event after_;
};

}  // namespace

std::unique_ptr<ConvPass> take_fastest(const ConvProblem& problem, const Handle& handle,
                                       std::vector<std::unique_ptr<ConvPass>> passes) {
    constexpr int kRounds = 5;
    constexpr int kMostRuns = 20;
    constexpr float kEnough = 0.5F;  // milliseconds of one sample: the clock of events counts half microseconds
    const Bench bench(problem, handle, largest_workspace(passes));
    std::vector<int> runs;
    for (const auto& pass : passes) {
        static_cast<void>(bench.time(*pass, 1));  // loads its code
        const float once = bench.time(*pass, 1);
        runs.push_back(std::clamp(static_cast<int>(kEnough / std::max(once, 1e-4F)), 1, kMostRuns));
    }
    std::vector<std::vector<float>> samples(passes.size());
    for (int round = 0; round < kRounds; ++round) {  // in turn: what slows the GPU for a while slows all
        for (std::size_t i = 0; i < passes.size(); ++i) {
            samples[i].push_back(bench.time(*passes[i], runs[i]) / static_cast<float>(runs[i]));
        }
    }
    std::vector<float> medians;
    for (std::vector<float>& times : samples) {
        std::nth_element(times.begin(), times.begin() + kRounds / 2, times.end());
        medians.push_back(times[kRounds / 2]);
    }
    const auto least = std::min_element(medians.begin(), medians.end());
    auto& best = passes[static_cast<std::size_t>(least - medians.begin())];
    best->set_milliseconds(*least);
    return std::move(best);
}

}  // namespace sluice::cudnn
