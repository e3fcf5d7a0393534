// How threads share the memory for the samples that they make.
#include "data/chain/sample_memory.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "unit/captured_log.hpp"
#include "unit/data/data_test_chain.hpp"
#include "unit/folder_test.hpp"

namespace sluice::data {
namespace {

TEST(sample_memory, has_one_half_for_all_and_one_for_whose_turn_it_is) {
    SampleMemory memory(100, "data.train");
    SampleMemory::Share first(memory);
    SampleMemory::Share second(memory);
    first.grow(40);
    EXPECT_THROW(second.grow(11), SampleMemory::OutOfTurn);
    second.grow(10);
    second.wait_for_turn();
    second.grow(50);
    EXPECT_TRUE(second.has_turn());
    EXPECT_THROW(first.grow(1), SampleMemory::OutOfTurn);
    second.give_back();
    EXPECT_FALSE(second.has_turn());
    first.grow(10);
}

TEST(sample_memory, bounds_what_a_sample_needs) {
    SampleMemory memory(100, "data.train");
    SampleMemory::Share share(memory);
    EXPECT_EQ(memory.most(), 50U);
    EXPECT_TRUE(share.need(30));
    EXPECT_FALSE(share.need(21));
    EXPECT_FALSE(share.need(~std::uint64_t{0}));
    EXPECT_TRUE(share.need(20));
    share.begin();
    EXPECT_TRUE(share.need(50));
}

TEST(sample_memory, grows_with_the_buffers_of_its_threads) {
    SampleMemory memory(100, "data.train");
    SampleMemory::Share first(memory);
    std::vector<std::uint8_t> buffer;
    first.make_room(buffer, 30);
    const std::uint8_t* const bytes = buffer.data();
    first.make_room(buffer, 20);
    EXPECT_EQ(buffer.data(), bytes);
    SampleMemory::Share second(memory);
    EXPECT_THROW(second.grow(21), SampleMemory::OutOfTurn);
    first.make_room(buffer, 40);
    EXPECT_GE(buffer.capacity(), 40U);
    EXPECT_THROW(second.grow(11), SampleMemory::OutOfTurn);
    second.grow(10);
}

// A thread holds much if it leaves the others too little.
TEST(sample_memory, is_much_if_each_can_have_less) {
    SampleMemory memory(100, "data.train");
    SampleMemory::Share first(memory);
    first.grow(26);
    EXPECT_FALSE(first.holds_much());
    const SampleMemory::Share second(memory);
    EXPECT_TRUE(first.holds_much());
    first.give_back();
    EXPECT_FALSE(first.holds_much());
}

TEST(sample_memory, is_free_again_when_a_thread_ends) {
    SampleMemory memory(100, "data.train");
    SampleMemory::Share(memory).grow(50);
    SampleMemory::Share share(memory);
    share.grow(50);
}

TEST(sample_memory, has_turns_one_after_the_other) {
    SampleMemory memory(100, "data.train");
    SampleMemory::Share first(memory);
    first.wait_for_turn();
    std::atomic<bool> over = false;
    bool was_over = false;
    std::thread other([&] {
        SampleMemory::Share second(memory);
        second.wait_for_turn();
        was_over = over;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    over = true;
    first.give_back();
    other.join();
    EXPECT_TRUE(was_over);
}

// An image has 60 or 75 bytes, and also a buffer, since sizes differ. The memory has room for one sample.
class ShortSampleMemory : public FolderTest {};

TEST_F(ShortSampleMemory, changes_no_sample) {
    const auto digest = [](std::uint64_t bytes, std::int64_t workers) {
        config::StreamSpec spec = stream_spec(with_map(R"({ use = "test_noise" }, { use = "test_sum" })",
                                                       "length = 50, tall_at = [3, 20, 21, 22, 40], wait_us = 100"));
        spec.sample_bytes = bytes;
        const Chain chain(spec, test_registry(), 7, "data.train");
        LoaderOptions options = shuffled(workers, 3);
        options.fields = {"sum", "label"};
        Loader loader(chain, options);
        for (std::uint64_t i = 0; i < 3 * loader.batches_per_epoch(); ++i) {
            loader.next();
        }
        return loader.digest();
    };
    const std::string expected = digest(1 << 20, 0);
    for (const std::int64_t workers : {0, 1, 2, 7}) {
        EXPECT_EQ(digest(std::uint64_t{2} * 200, workers), expected);
    }
    // The line is logged if threads compete for memory, which need not happen each time on a busy machine.
    const CapturedLog log;
    std::string log_text;
    for (int turn = 0; turn < 100 && log_text.empty(); ++turn) {
        EXPECT_EQ(digest(std::uint64_t{2} * 200, 7), expected);
        log_text = log.take();
    }
    expect_contains(log_text, {"data.train: samples are so large that some are made one at a time"});
}

}  // namespace
}  // namespace sluice::data
