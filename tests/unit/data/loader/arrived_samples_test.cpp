// A batch's records of its samples: hashes that do not depend on the order of fields, and shapes that differ.
#include "data/loader/arrived_samples.hpp"

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

const std::vector<registry::Field>& two_fields() {
    static const std::vector<registry::Field> fields = {
        {.name = "image", .role = SLUICE_FIELD_IMAGE, .spec = make_spec(kUint8, {-1})},
        {.name = "label", .role = 0, .spec = make_spec(kUint8, {1})}};
    return fields;
}

// Returns a sample with an image and a label. It points to both, which must outlive it.
Sample picture(std::vector<std::uint8_t>& image, std::vector<std::uint8_t>& label) {
    const sluice_tensor_spec spec = make_spec(kUint8, {static_cast<std::int64_t>(image.size())});
    return {.name = {},
            .fields = {{.name = "image", .role = SLUICE_FIELD_IMAGE, .tensor = {spec, image}},
                       {.name = "label", .role = 0, .tensor = {make_spec(kUint8, {1}), label}}}};
}

class ArrivedSamplesTest : public testing::Test {
protected:
    // Sets samples 10, 11, ... with images of these sizes. Size 0 sets a bad sample.
    void set(ArrivedSamples& samples, const std::vector<std::size_t>& sizes) {
        samples.open(static_cast<std::int64_t>(sizes.size()));
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            std::vector<std::uint8_t> image(sizes[i], 5);
            const auto position = static_cast<std::int64_t>(i);
            if (sizes[i] == 0) {
                samples.set_bad(position, 10 + i);
            } else {
                samples.set(position, 10 + i, picture(image, label_));
            }
        }
        batch_.made = {0, static_cast<std::int64_t>(sizes.size())};
        batch_.names.assign(sizes.size(), "");
    }

    std::vector<std::uint8_t> label_ = {3};
    Batch batch_{.epoch = 0,
                 .number = 0,
                 .count = 0,
                 .made = {},
                 .left_out = {},
                 .fields = {{.name = "image", .role = SLUICE_FIELD_IMAGE, .tensor = {}},
                            {.name = "label", .role = 0, .tensor = {}}},
                 .names = {}};
};

TEST_F(ArrivedSamplesTest, have_the_same_hashes_in_any_order_of_fields) {
    ArrivedSamples in_order({0, 1}, two_fields());
    ArrivedSamples reversed({1, 0}, two_fields());
    std::vector<SampleHash> hashes;
    for (ArrivedSamples* const samples : {&in_order, &reversed}) {
        set(*samples, {4, 4});
        samples->add_to(hashes, {1, 2}, 20);
    }
    ASSERT_EQ(hashes.size(), 2U);
    EXPECT_EQ(hashes[0].position, 21U);
    EXPECT_EQ(hashes[0].index, 11U);
    EXPECT_EQ(hashes[0].hash, hashes[1].hash);
}

TEST_F(ArrivedSamplesTest, name_the_first_that_differs_in_shape) {
    ArrivedSamples samples({0, 1}, two_fields());
    set(samples, {0, 4, 4, 7, 9});
    batch_.names[1] = "a.png";
    const std::string difference = samples.difference(batch_);
    expect_contains(difference, {"field 'image': sample 11 (a.png) is ", ", but sample 13 is "});
    EXPECT_EQ(difference.find("label"), std::string::npos) << difference;
}

TEST_F(ArrivedSamplesTest, count_a_bad_one_with_no_hash) {
    ArrivedSamples samples({0, 1}, two_fields());
    set(samples, {4, 4});
    set(samples, {4, 0});
    std::vector<SampleHash> hashes;
    samples.add_to(hashes, {0, 2}, 0);
    EXPECT_NE(hashes[0].hash, 0U);
    EXPECT_EQ(hashes[1].hash, 0U);
    EXPECT_EQ(hashes[1].index, 11U);
}

}  // namespace
}  // namespace sluice::data
