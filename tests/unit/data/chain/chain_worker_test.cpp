// The worker of a chain: its samples, its buffers, and messages about failures.
#include "data/chain/chain_worker.hpp"

#include <numeric>

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

Chain noisy_chain() { return make_chain(with_map(R"({ use = "test_noise" }, { use = "test_sum" })", "length = 10")); }

// The image that a new worker makes in the first epoch.
std::vector<std::uint8_t> image_at(const Chain& chain, std::uint64_t index) {
    return bytes_of(Chain::Worker(chain).make(0, index).fields.at(0));
}

TEST(chain_worker, makes_fields_that_belong_to_one_sample) {
    const Chain chain = noisy_chain();
    Chain::Worker worker(chain);
    for (const std::uint64_t index : {3, 0, 9, 3}) {
        const Sample& sample = worker.make(1, index);
        EXPECT_EQ(sample.name, "numbers/" + std::to_string(index));
        EXPECT_EQ(sample.fields[1].tensor.as<std::int64_t>()[0], static_cast<std::int64_t>(index));
        float sum = 0.0F;
        for (const std::uint8_t byte : sample.fields[0].tensor.bytes) {
            sum += byte;
        }
        EXPECT_EQ(sample.fields[3].tensor.as<float>()[0], sum);
    }
}

TEST(chain_worker, keeps_buffers_from_sample_to_sample) {
    const Chain chain = noisy_chain();
    Chain::Worker worker(chain);
    const std::uint8_t* first = worker.make(0, 0).fields[0].tensor.bytes.data();
    EXPECT_EQ(worker.make(0, 1).fields[0].tensor.bytes.data(), first);
    EXPECT_EQ(worker.make(1, 2).fields[0].tensor.bytes.data(), first);
}

TEST(chain_worker, makes_fields_where_they_are_wanted) {
    const Chain chain = noisy_chain();
    const std::vector<std::uint8_t> expected = image_at(chain, 4);
    std::vector<std::uint8_t> image(expected.size());
    float sum = -1.0F;
    const std::vector<std::uint8_t*> places{image.data(), nullptr, nullptr, reinterpret_cast<std::uint8_t*>(&sum)};
    Chain::Worker worker(chain);
    const Sample& sample = worker.make(0, 4, places);
    EXPECT_EQ(sample.fields[0].tensor.bytes.data(), image.data());
    EXPECT_EQ(image, expected);
    EXPECT_EQ(sum, std::accumulate(expected.begin(), expected.end(), 0.0F));
    EXPECT_NE(worker.make(0, 5).fields[0].tensor.bytes.data(), image.data());
    EXPECT_EQ(image, expected);
}

TEST(chain_worker, names_the_sample_that_failed_and_its_stage) {
    const Chain source = make_chain(R"(source = { use = "test_numbers", bad_at = [6] })");
    expect_contains(error_of([&] { image_at(source, 6); }),
                    {"3 data.train: sample 6 (numbers/6): ", "source 'test_numbers': the number is bad"});
    const Chain transform = make_chain(R"(source = { use = "test_numbers" }
                                          map = [{ use = "test_sum", bad_label = 2 }])");
    expect_contains(error_of([&] { image_at(transform, 2); }),
                    {"3 data.train: sample 2 (numbers/2): transform 'test_sum': the label is bad"});
}

TEST(chain_worker, makes_other_samples_after_a_bad_one) {
    const Chain chain = make_chain(R"(source = { use = "test_numbers", bad_at = [6] }
                                      map = [{ use = "test_sum", bad_label = 2 }])");
    Chain::Worker worker(chain);
    EXPECT_THROW(worker.make(0, 6), Error);
    EXPECT_EQ(bytes_of(worker.make(0, 5).fields[0]), image_at(chain, 5));
    EXPECT_THROW(worker.make(0, 2), Error);
    EXPECT_EQ(bytes_of(worker.make(0, 4).fields[0]), image_at(chain, 4));
}

TEST(chain_worker, catches_a_plugin_that_breaks_its_word) {
    const Chain shape = make_chain(R"(source = { use = "test_numbers", wrong = "shape" })");
    expect_contains(error_of([&] { image_at(shape, 0); }),
                    {"6 data.train: sample 0", "test_numbers", "[11, 5, 3] uint8", "[4, 5, 3] uint8"});
    const Chain missing = make_chain(R"(source = { use = "test_numbers", wrong = "missing" })");
    expect_contains(error_of([&] { image_at(missing, 0); }), {"6 data.train: sample 0", "test_numbers", "'file'"});
}

// A worker that no longer uses its large sample must not make others wait.
TEST(chain_worker, frees_the_memory_of_a_large_sample_when_that_is_used) {
    config::StreamSpec spec = stream_spec(R"(source = { use = "test_numbers", length = 4, tall_at = [2] })");
    spec.sample_bytes = std::uint64_t{2} * 90;
    const Chain chain(spec, test_registry(), 7, "data.train");
    Chain::Worker small(chain);
    small.make(0, 1);
    Chain::Worker first(chain);
    Chain::Worker second(chain);
    for (Chain::Worker* const worker : {&first, &second, &first}) {
        const Chain::Worker::Use use(*worker);
        EXPECT_EQ(bytes_of(worker->make(0, 2).fields[0]).size(), 75U);
    }
}

}  // namespace
}  // namespace sluice::data
