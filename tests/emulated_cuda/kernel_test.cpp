// Correct and faulty kernels on the emulated GPU.
#include <cmath>
#include <numeric>

#include "gpu_test.hpp"

namespace emulated::test {
namespace {

constexpr unsigned kThreads = 96;

__global__ void number_threads(unsigned* to) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    to[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}

// Each thread writes the number of its right neighbour.
__global__ void turn(int* to, bool with_barrier) {
    __shared__ int numbers[kThreads];
    numbers[threadIdx.x] = static_cast<int>(threadIdx.x);
    if (with_barrier) {
        __syncthreads();
    }
    to[threadIdx.x] = numbers[(threadIdx.x + 1) % kThreads];
}

__global__ void half_of_them_wait(float* to) {
    to[threadIdx.x] = 1;
    if (threadIdx.x % 2 == 0) {
        __syncthreads();
    }
}

__global__ void read_fresh_shared_memory(float* to) {
    __shared__ float fresh[4];
    to[threadIdx.x] = fresh[threadIdx.x];
    fresh[threadIdx.x] = 0;
}

__global__ void count_up(float* number) { *number += 1; }

__global__ void write_at(float* to, long index) { to[index] = 1; }

__global__ void use_warp(int* to) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int number = static_cast<int>(threadIdx.x);
    int* const mine = to + 6 * threadIdx.x;
    mine[0] = __shfl_xor_sync(0xFFFFFFFF, number, 1);
    mine[1] = __shfl_down_sync(0xFFFFFFFF, number, 16);
    mine[2] = __shfl_sync(0xFFFFFFFF, number, 3);
    mine[3] = __popc(__ballot_sync(0xFFFFFFFF, lane < 5 ? 1 : 0));
    mine[4] = __shfl_down_sync(0xFFFFFFFF, number, 2, 4);
    mine[5] = __shfl_up_sync(0xFFFFFFFF, number, 1);
}

class Kernels : public GpuTest {};
class KernelsDeathTest : public GpuTest {
protected:
    void SetUp() override {
        GTEST_FLAG_SET(death_test_style, "threadsafe");  // CUDA does not work in a forked process
        GpuTest::SetUp();
    }
};

TEST_F(Kernels, run_every_thread_of_every_block) {
    const DeviceArray<unsigned> numbers(2 * 3 * 4 * 5 * 2 * 2);
    ASSERT_EQ(launch({2, 3, 4}, {5, 2, 2}, number_threads, numbers.data()), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    const std::vector<unsigned> found = numbers.read();
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i], i / 20 * 1000 + i % 20);
    }
}

TEST_F(Kernels, missing_barrier_gives_wrong_numbers_in_one_of_two_launches) {
    for (const bool with_barrier : {true, false}) {
        int wrong = 0;
        for (int run = 0; run < 2; ++run) {
            const DeviceArray<int> numbers(kThreads);
            launch(1, kThreads, turn, numbers.data(), with_barrier);
            cudaStreamSynchronize(stream);
            const std::vector<int> found = numbers.read();
            for (unsigned i = 0; i < kThreads; ++i) {
                wrong += found[i] != static_cast<int>((i + 1) % kThreads) ? 1 : 0;
            }
        }
        EXPECT_EQ(wrong == 0, with_barrier);
    }
}

TEST_F(Kernels, barrier_that_some_threads_do_not_reach_fails_and_is_named) {
    const DeviceArray<float> numbers(64);
    EXPECT_EQ(launch(1, 64, half_of_them_wait, numbers.data()), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorLaunchFailure);
    const std::string text = cudaGetErrorString(cudaErrorLaunchFailure);
    EXPECT_NE(text.find("half_of_them_wait"), std::string::npos) << text;
    EXPECT_NE(text.find("32 wait at a barrier"), std::string::npos) << text;
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorLaunchFailure) << "nothing works after it";
}

TEST_F(Kernels, shared_memory_begins_as_nan_in_each_block) {
    const DeviceArray<float> numbers(4);
    ASSERT_EQ(launch(3, 4, read_fresh_shared_memory, numbers.data()), cudaSuccess);
    cudaStreamSynchronize(stream);
    for (const float number : numbers.read()) {
        EXPECT_TRUE(std::isnan(number));
    }
}

TEST_F(Kernels, lanes_of_a_warp_exchange_values) {
    const DeviceArray<int> numbers(std::size_t{6} * 64);
    ASSERT_EQ(launch(1, 64, use_warp, numbers.data()), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    const std::vector<int> found = numbers.read();
    for (int i = 0; i < 64; ++i) {
        const int* const mine = found.data() + std::ptrdiff_t{6} * i;
        const int lane = i % 32;
        EXPECT_EQ(mine[0], i ^ 1);
        EXPECT_EQ(mine[1], lane < 16 ? i + 16 : i);
        EXPECT_EQ(mine[2], i - lane + 3);
        EXPECT_EQ(mine[3], 5);
        EXPECT_EQ(mine[4], lane % 4 < 2 ? i + 2 : i);
        EXPECT_EQ(mine[5], lane > 0 ? i - 1 : i);
    }
}

TEST_F(Kernels, launches_of_one_stream_run_in_turn) {
    const DeviceArray<float> number(1);
    cudaMemsetAsync(number.data(), 0, sizeof(float), stream);
    for (int i = 0; i < 5; ++i) {
        launch(1, 1, count_up, number.data());
    }
    cudaStreamSynchronize(stream);
    EXPECT_EQ(number.read()[0], 5);
}

TEST_F(Kernels, argument_that_points_to_host_memory_is_refused) {
    float number = 0;
    EXPECT_EQ(launch(1, 1, count_up, &number), cudaErrorIllegalAddress);
}

TEST_F(Kernels, too_many_threads_are_refused) {
    const DeviceArray<float> number(1);
    EXPECT_EQ(launch(1, 1025, count_up, number.data()), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch({1, 65536}, 1, count_up, number.data()), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch(0, 1, count_up, number.data()), cudaErrorInvalidConfiguration);
}

TEST_F(Kernels, write_past_a_block_of_odd_size_is_found) {
    const DeviceArray<float> numbers(3);
    EXPECT_EQ(launch(1, 1, write_at, numbers.data(), 3L), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorIllegalAddress);
}

TEST_F(KernelsDeathTest, write_far_past_a_block_crashes_with_the_name_of_the_kernel) {
    const DeviceArray<float> numbers(64);
    const auto far_out = [&] {
        launch(1, 1, write_at, numbers.data(), 64L);
        cudaStreamSynchronize(stream);
    };
    EXPECT_DEATH(far_out(), "write_at.*touches byte 256 of a block of 256 bytes");
}

TEST_F(KernelsDeathTest, host_that_touches_device_memory_crashes) {
    const DeviceArray<float> numbers(64);
    volatile float* const first = numbers.data();
    EXPECT_DEATH(first[1] = 1, "the host touches byte 4 of a block of 256 bytes");
}

}  // namespace
}  // namespace emulated::test
