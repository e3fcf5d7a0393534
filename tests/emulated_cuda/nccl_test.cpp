// Correct and faulty transfers between ranks.
#include "nccl.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>

#include "gpu_test.hpp"

namespace emulated::test {
namespace {

// A rank on a GPU of its own. The test's thread drives all ranks.
struct Rank {
    Rank(const ncclUniqueId& id, int own) : number(own) {
        cudaSetDevice(number);
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        config.blocking = 0;
        ncclCommInitRankConfig(&communicator, 2, id, number, &config);
        cudaMemset(sent.data(), number + 1, 8 * sizeof(float));
        cudaMemset(received.data(), 0, 8 * sizeof(float));
    }
    ~Rank() {
        abort();
        cudaStreamDestroy(stream);
    }
    Rank(const Rank&) = delete;
    Rank& operator=(const Rank&) = delete;

    void abort() {
        if (communicator != nullptr) {
            ncclCommAbort(communicator);
        }
        communicator = nullptr;
    }
    // Waits until the started call is enqueued.
    void expect_started() const {
        ncclResult_t state = ncclInProgress;
        while (state == ncclInProgress) {
            ncclCommGetAsyncError(communicator, &state);
        }
        EXPECT_EQ(state, ncclSuccess) << ncclGetLastError(communicator);
    }
    [[nodiscard]] ncclResult_t send(std::size_t count, ncclDataType_t type = ncclFloat32) const {
        return ncclSend(sent.data(), count, type, 1 - number, communicator, stream);
    }
    [[nodiscard]] ncclResult_t receive(std::size_t count) const {
        return ncclRecv(received.data(), count, ncclFloat32, 1 - number, communicator, stream);
    }
    // Returns how many bytes of the eight numbers have arrived.
    [[nodiscard]] std::ptrdiff_t came() const {
        const auto values = received.read();
        const auto* const bytes = reinterpret_cast<const char*>(values.data());
        return std::count(bytes, bytes + 8 * sizeof(float), static_cast<char>(2 - number));
    }

    int number;
    cudaStream_t stream = nullptr;
    ncclComm_t communicator = nullptr;
    DeviceArray<float> sent{8};
    DeviceArray<float> received{8};
};

class Transfers : public testing::Test {
protected:
    Transfers() {
        setenv("SLUICE_EMULATED_CUDA_DEVICES", "2", 1);
        ncclUniqueId id{};
        ncclGetUniqueId(&id);
        first.emplace(id, 0);
        second.emplace(id, 1);
        first->expect_started();
    }
    ~Transfers() override {
        first.reset();
        second.reset();
        cudaSetDevice(0);
        unsetenv("SLUICE_EMULATED_CUDA_DEVICES");
    }

    template <class Put>
    static void group(const Rank& rank, const Put& put) {
        ncclGroupStart();
        put();
        EXPECT_EQ(ncclGroupEnd(), ncclInProgress);
        rank.expect_started();
    }

    // Both streams reach transfers that never complete.
    void expect_nothing_comes() {
        const std::jthread ends([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            first->abort();
            second->abort();
        });
        cudaStreamSynchronize(first->stream);
        cudaStreamSynchronize(second->stream);
        EXPECT_EQ(first->came(), 0);
        EXPECT_EQ(second->came(), 0);
    }

    std::optional<Rank> first;
    std::optional<Rank> second;
};

TEST_F(Transfers, of_a_group_go_both_ways) {
    for (const Rank* const rank : {&*first, &*second}) {
        group(*rank, [&] {
            EXPECT_EQ(rank->send(7), ncclSuccess);
            EXPECT_EQ(rank->receive(7), ncclSuccess);
        });
    }
    cudaStreamSynchronize(first->stream);
    cudaStreamSynchronize(second->stream);
    EXPECT_EQ(first->came(), 28);
    EXPECT_EQ(second->came(), 28);
}

TEST_F(Transfers, that_are_not_over_let_nobody_take_memory) {
    const auto both_ways = [](const Rank& rank) {
        group(rank, [&] {
            EXPECT_EQ(rank.send(7), ncclSuccess);
            EXPECT_EQ(rank.receive(7), ncclSuccess);
        });
    };
    both_ways(*first);
    cudaSetDevice(first->number);
    void* block = nullptr;
    EXPECT_EQ(cudaMalloc(&block, 8), cudaErrorNotSupported);
    EXPECT_EQ(cudaFree(nullptr), cudaErrorNotSupported);
    EXPECT_EQ(cudaMallocHost(&block, 8), cudaErrorNotSupported);
    EXPECT_EQ(cudaFreeHost(nullptr), cudaErrorNotSupported);
    both_ways(*second);
    cudaStreamSynchronize(first->stream);
    cudaStreamSynchronize(second->stream);
    EXPECT_EQ(cudaMalloc(&block, 8), cudaSuccess);
    EXPECT_EQ(cudaFree(block), cudaSuccess);
}

TEST_F(Transfers, of_different_lengths_are_never_over) {
    group(*first, [&] { EXPECT_EQ(first->send(7), ncclSuccess); });
    group(*second, [&] { EXPECT_EQ(second->receive(8), ncclSuccess); });
    expect_nothing_comes();
}

TEST_F(Transfers, of_different_types_are_never_over) {
    group(*first, [&] { EXPECT_EQ(first->send(4, ncclFloat64), ncclSuccess); });
    group(*second, [&] { EXPECT_EQ(second->receive(4), ncclSuccess); });
    expect_nothing_comes();
}

TEST_F(Transfers, that_both_wait_for_first_are_never_over) {
    for (const Rank* const rank : {&*first, &*second}) {
        group(*rank, [&] { EXPECT_EQ(rank->receive(8), ncclSuccess); });
        group(*rank, [&] { EXPECT_EQ(rank->send(8), ncclSuccess); });
    }
    expect_nothing_comes();
}

TEST_F(Transfers, are_refused_outside_a_group_and_its_memory) {
    EXPECT_EQ(first->send(8), ncclInvalidUsage);
    EXPECT_EQ(ncclGroupEnd(), ncclInvalidUsage);
    ncclGroupStart();
    EXPECT_EQ(first->send(9), ncclInvalidUsage);
    EXPECT_EQ(first->receive(9), ncclInvalidUsage);
    EXPECT_EQ(ncclSend(first->sent.data(), 8, ncclFloat32, 2, first->communicator, first->stream), ncclInvalidUsage);
    EXPECT_EQ(ncclGroupEnd(), ncclSuccess);
}

TEST_F(Transfers, are_what_bfloat16_is_for) {
    float* const data = first->sent.data();
    EXPECT_EQ(ncclAllReduce(data, data, 8, ncclBfloat16, ncclSum, first->communicator, first->stream),
              ncclInvalidUsage);
}

}  // namespace
}  // namespace emulated::test
