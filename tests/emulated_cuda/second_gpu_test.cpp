// The second of two GPUs, used by a thread that has not selected it: there CUDA defaults to the first.
#include <cstdlib>
#include <thread>

#include "base/error.hpp"
#include "plugin_test.hpp"
#include "registry/optional/streams.hpp"

namespace sluice::test {
namespace {

class SecondGpu : public testing::Test {
protected:
    void SetUp() override { setenv("SLUICE_EMULATED_CUDA_DEVICES", "2", 1); }
    void TearDown() override { unsetenv("SLUICE_EMULATED_CUDA_DEVICES"); }

    // Runs `work` in a thread of its own and returns its error; empty: it succeeds.
    template <class Work>
    static std::string failure(const Work& work) {
        std::string message;
        std::thread([&] {
            try {
                work();
            } catch (const Error& error) {
                message = error.what();
            }
        }).join();
        return message;
    }

    const registry::Registry plugins_{SLUICE_TEST_PLUGIN_DIR,
                                      std::vector<std::filesystem::path>{SLUICE_TEST_EMULATED_DIR}};

    [[nodiscard]] std::shared_ptr<const registry::Device> open(std::uint32_t index) const {
        return std::make_shared<const registry::Device>(plugins_.find(registry::Kind::device, "emulated_cuda", {}),
                                                        Table{}, index);
    }
};

TEST_F(SecondGpu, makes_events_in_a_new_thread) {
    const auto gpu = open(1);
    const registry::Stream stream(gpu);
    EXPECT_EQ(failure([&] {
                  const registry::Event event(gpu);
                  event.record(stream.handle());
                  event.wait();
              }),
              "");
}

TEST_F(SecondGpu, zeroes_memory_in_a_new_thread) {
    const auto gpu = open(1);
    const registry::Stream stream(gpu);
    const registry::Block block(gpu, 256);
    EXPECT_EQ(failure([&] {
                  gpu->zero(block.data(), block.size(), stream.handle());
                  gpu->wait(stream.handle());
              }),
              "");
}

TEST_F(SecondGpu, is_used_in_turn_with_the_first) {
    const std::shared_ptr<const registry::Device> gpus[] = {open(0), open(1)};
    const registry::Stream first(gpus[0]);
    const registry::Stream second(gpus[1]);
    const registry::Block blocks[] = {{gpus[0], 256}, {gpus[1], 256}};
    for (int turn = 0; turn < 2; ++turn) {
        EXPECT_NO_THROW(gpus[0]->zero(blocks[0].data(), 256, first.handle()));
        EXPECT_NO_THROW(gpus[1]->zero(blocks[1].data(), 256, second.handle()));
    }
    EXPECT_NO_THROW(gpus[0]->wait(first.handle()));
    EXPECT_NO_THROW(gpus[1]->wait(second.handle()));
}

}  // namespace
}  // namespace sluice::test
