// Samples that are taken in order while threads make them.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <mutex>
#include <thread>

#include "prepare/ordered_samples.hpp"
#include "unit/data/data_test_chain.hpp"
#include "unit/with_little_memory.hpp"

namespace sluice::prepare {
namespace {

std::unique_ptr<ShardFormat> format_of(const data::Chain& chain) {
    return make_format("records", false, chain.fields(), {});
}

TEST(PrepareOrderedSamples, report_if_threads_run_out) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer does not allow a limit of the address space";
#endif
    const data::Chain chain = data::make_chain(data::with_map("", "length = 5000"));
    const auto format = format_of(chain);
    std::string found;
    {
        const test::WithLittleMemory memory(rlim_t{1} << 30);
        found = data::error_of([&] { const OrderedSamples samples(chain, *format, 0, 5000, {.threads = 1000}); });
    }
    data::expect_contains(found, {"4 only ", " of 1000 threads can be started: ", "give fewer --workers"});
}

std::uint64_t bytes_of_fields(const data::Sample& sample) {
    std::uint64_t bytes = 0;
    for (const data::SampleField& field : sample.fields) {
        bytes += field.tensor.bytes.size();
    }
    return bytes;
}

// Counts the bytes of samples that were packed and that nobody has taken yet, and their maximum.
class CountingFormat final : public ShardFormat {
public:
    explicit CountingFormat(std::unique_ptr<ShardFormat> format) : format_(std::move(format)) {}
    [[nodiscard]] std::string suffix() const override { return format_->suffix(); }
    [[nodiscard]] bool may_be_empty() const override { return format_->may_be_empty(); }
    [[nodiscard]] records::PackedSample pack(const data::Sample& sample, std::uint64_t index) const override {
        const std::lock_guard lock(mutex_);
        held_ += bytes_of_fields(sample);
        most_ = std::max(most_, held_);
        return format_->pack(sample, index);
    }
    [[nodiscard]] std::unique_ptr<ShardBody> begin(records::ByteSink& to) const override { return format_->begin(to); }
    [[nodiscard]] std::string reading() const override { return format_->reading(); }
    void done_with(std::uint64_t bytes) {
        const std::lock_guard lock(mutex_);
        held_ -= bytes;
    }
    [[nodiscard]] std::uint64_t most() const { return most_; }

private:
    std::unique_ptr<ShardFormat> format_;
    mutable std::mutex mutex_;
    mutable std::uint64_t held_ = 0;
    mutable std::uint64_t most_ = 0;
};

TEST(PrepareOrderedSamples, that_wait_to_be_written_take_no_more_than_they_may) {
    constexpr std::uint64_t kLarge = 100 * 15 + 9;  // an image of 100 rows, a label and a byte
    const data::Chain chain = data::make_chain(
        data::with_map("", "length = 60, tall_at = [3, 20, 21, 22, 23, 24, 25, 40], tall_rows = 100, wait_us = 500"));
    data::Chain::Worker alone(chain);
    for (const std::uint64_t prefetch_bytes : {std::uint64_t{1}, 2 * kLarge}) {
        CountingFormat format(format_of(chain));
        {
            OrderedSamples samples(chain, format, 0, chain.length(), {.threads = 4, .prefetch_bytes = prefetch_bytes});
            for (std::uint64_t index = 0; index < chain.length(); ++index) {
                EXPECT_EQ(samples.take().name, "numbers/" + std::to_string(index));
                std::this_thread::sleep_for(std::chrono::milliseconds(4));  // time to make all that may be made
                format.done_with(bytes_of_fields(alone.make(0, index)));
            }
        }
        EXPECT_LE(format.most(), prefetch_bytes + kLarge);
        EXPECT_EQ(format.most() > 2 * kLarge, prefetch_bytes > 1) << "samples must use the memory that they may use";
    }
}

TEST(PrepareOrderedSamples, that_wait_for_room_are_dropped) {
    const data::Chain chain =
        data::make_chain(data::with_map("", "length = 60, tall_at = [1, 2, 3, 4, 5, 6], tall_rows = 100"));
    const auto format = format_of(chain);
    OrderedSamples samples(chain, *format, 0, chain.length(), {.threads = 4, .prefetch_bytes = 300});
    EXPECT_EQ(samples.take().name, "numbers/0");
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
}

TEST(PrepareOrderedSamples, that_stall_are_named) {
    const data::Chain chain = data::make_chain(data::with_map("", "length = 4, sleep_ms = 400"));
    const auto format = format_of(chain);
    OrderedSamples samples(chain, *format, 0, 1, {.threads = 1, .stall_seconds = 0.1});
    testing::internal::CaptureStderr();
    samples.take();
    data::expect_contains(testing::internal::GetCapturedStderr(),
                          {"data.train: waiting for sample 0 for ", "a thread is at 'test_numbers' of sample 0 for "});
}

TEST(PrepareOrderedSamples, that_stall_can_be_stopped) {
    const data::Chain chain = data::make_chain(data::with_map("", "length = 4, sleep_ms = 400"));
    const auto format = format_of(chain);
    OrderedSamples samples(chain, *format, 0, 4, {.threads = 1, .stop = [] { return true; }});
    EXPECT_THROW(samples.take(), data::Stopped);
}

}  // namespace
}  // namespace sluice::prepare
