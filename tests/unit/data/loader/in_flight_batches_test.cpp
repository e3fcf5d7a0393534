// The memory of prefetched batches if samples differ in size: it stays within its limit, and no thread waits for ever.
#include "data/loader/in_flight_batches.hpp"

#include <chrono>
#include <thread>

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

constexpr std::uint64_t kSmall = 60;  // bytes of an image
constexpr std::uint64_t kLarge = 6000;
const std::string kMixed = R"(length = 40, tall_at = [3, 8, 9, 10, 11, 25, 37, 38], tall_rows = 400, wait_us = 100)";

bool is_large(std::uint64_t index) {
    return index == 3 || (index >= 8 && index <= 11) || index == 25 || index == 37 || index == 38;
}

LoaderOptions one_by_one(std::int64_t workers, std::uint64_t prefetch_bytes) {
    return {.batch = 1, .workers = workers, .prefetch = 64, .prefetch_bytes = prefetch_bytes, .fields = {"image"}};
}

// Returns a sample that points to `bytes`, which must outlive it.
Sample sample_of(std::vector<std::uint8_t>& bytes) {
    const sluice_tensor_spec spec = make_spec(kUint8, {static_cast<std::int64_t>(bytes.size())});
    return {.name = {}, .fields = {{.name = "image", .role = SLUICE_FIELD_IMAGE, .tensor = {spec, bytes}}}};
}

const std::vector<registry::Field>& fields_of_any_size() {
    static const std::vector<registry::Field> fields = {
        {.name = "image", .role = SLUICE_FIELD_IMAGE, .spec = make_spec(kUint8, {-1})}};
    return fields;
}

TEST(in_flight_batches, free_what_is_kept_of_large_ones) {
    InFlightBatches batches({0}, fields_of_any_size(), 1, {.prefetch_bytes = 100});
    std::vector<std::uint8_t> large(50);
    std::vector<std::uint8_t> small(10);
    for (const bool is_large : {true, true, true, false, false, false, true, true, false, true}) {
        while (batches.has_room()) {
            batches.begin(1).open(0, 0, 1, {0, 1});
            ASSERT_TRUE(batches.shape(batches.back(), sample_of(is_large ? large : small)));
            EXPECT_LE(batches.held(), 100U + batches.front().held());
        }
        EXPECT_EQ(batches.count(), is_large ? 3U : 7U) << "the next batch may need as much as the largest so far";
        while (batches.count() > 0) {
            batches.drop_front();
            EXPECT_LE(batches.held(), 100U + (batches.count() > 0 ? batches.front().held() : 0));
        }
    }
}

TEST(in_flight_batches, have_room_for_a_larger_one_once_it_is_the_first) {
    InFlightBatches batches({0}, fields_of_any_size(), 1, {.prefetch_bytes = 100});
    std::vector<std::uint8_t> small(10);
    std::vector<std::uint8_t> large(95);
    std::vector<std::uint8_t> huge(1000);
    for (std::vector<std::uint8_t>* const bytes : {&small, &small}) {
        batches.begin(1).open(0, 0, 1, {0, 1});
        ASSERT_TRUE(batches.shape(batches.back(), sample_of(*bytes)));
    }
    BatchSlot& third = batches.begin(1);
    third.open(0, 2, 1, {0, 1});
    EXPECT_FALSE(batches.shape(third, sample_of(large)));
    batches.drop_front();
    EXPECT_TRUE(batches.has_room_for(third, large.size()));
    EXPECT_FALSE(batches.shape(third, sample_of(huge)));
    batches.drop_front();
    EXPECT_TRUE(batches.shape(third, sample_of(huge)));
    EXPECT_FALSE(batches.has_room()) << "the next batch may be as large";
}

TEST(in_flight_batches, allow_one_prefetched_batch_if_the_memory_is_a_guess) {
    InFlightBatches batches({0}, fields_of_any_size(), 1, {.prefetch_bytes = 100, .allows_one_prefetched = true});
    std::vector<std::uint8_t> huge(1000);
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(batches.has_room());
        batches.begin(1).open(0, 0, 1, {0, 1});
        ASSERT_TRUE(batches.shape(batches.back(), sample_of(huge)));
    }
    EXPECT_FALSE(batches.has_room());
}

TEST(in_flight_batches, of_a_loader_never_take_more_if_samples_differ) {
    const Chain chain = make_chain(with_map("", kMixed));
    constexpr std::uint64_t kRoom = 2 * kLarge + 10 * kSmall;
    Loader loader(chain, one_by_one(3, kRoom));
    std::uint64_t most = 0;
    for (std::uint64_t number = 0; number < 80; ++number) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));  // time to make all that may be made
        const std::uint64_t before = loader.figures().ready;
        loader.next();
        const std::uint64_t ready = loader.figures().ready - before;
        std::uint64_t bytes = 0;
        for (std::uint64_t prefetched = 1; prefetched < ready; ++prefetched) {
            bytes += is_large((number + prefetched) % chain.length()) ? kLarge : kSmall;
        }
        EXPECT_LE(bytes, kRoom) << "batch " << number;
        most = std::max(most, ready);
    }
    EXPECT_GT(most, 4U);
}

TEST(in_flight_batches, of_a_loader_are_the_same_bytes_with_any_memory) {
    const Chain chain = make_chain(with_map(R"({ use = "test_noise" }, { use = "test_sum" })", kMixed));
    std::vector<std::string> expected;
    for (const std::uint64_t room : {std::uint64_t{0}, std::uint64_t{1}, kLarge / 2, kLarge, 3 * kLarge}) {
        LoaderOptions options = one_by_one(0, room);
        options.shuffle = true;
        expected = expect_same_for_any_threads(chain, options, 90, expected);
    }
}

// All threads hold a large sample for which there is no room yet.
TEST(in_flight_batches, of_a_loader_that_wait_for_room_are_dropped_promptly) {
    const Chain chain = make_chain(with_map("", "length = 40, tall_at = [2, 3, 4, 5, 6], tall_rows = 400"));
    for (const bool seeks : {true, false}) {
        LoaderOptions options = one_by_one(4, kLarge / 2);
        options.prefetch = 8;
        auto loader = std::make_unique<Loader>(chain, options);
        loader->next();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const auto before = std::chrono::steady_clock::now();
        if (seeks) {
            loader->seek(0, 30);
            EXPECT_EQ(loader->next().number, 30U);
        }
        loader.reset();
        EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(2));
    }
}

}  // namespace
}  // namespace sluice::data
