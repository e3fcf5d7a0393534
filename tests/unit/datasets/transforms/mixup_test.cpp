// Transform `mixup`. Labels of one_hot show which samples were mixed.
#include <cmath>

#include "unit/datasets/transforms/mixing_test.hpp"

namespace sluice::data {
namespace {

std::string mixup(const std::string& options = "") { return kOneHot + " }, { use = \"mixup\"" + options; }

TEST(mixup, blends_images_as_labels) {
    Compared loaders(kOneHot, mixup(", alpha = 1.0"), "size = [7, 9]", {"first", "second", "number", "label"});
    std::size_t blended = 0;
    for (int epoch = 0; epoch < 20; ++epoch) {
        const Batch& given = loaders.before.next();
        const Batch& made = loaders.after.next();
        const std::vector<Mixed> mixed = mixed_labels(made);
        for (const char* const field : {"first", "second"}) {
            const HostTensor& from = tensor_of(given, field);
            const HostTensor& to = tensor_of(made, field);
            const std::size_t bytes = from.bytes.size() / 8;
            for (std::size_t i = 0; i < from.bytes.size(); ++i) {
                const auto [partner, share] = mixed[i / bytes];
                const double exact = static_cast<double>(share) * from.bytes[i] +
                                     (1.0 - static_cast<double>(share)) * from.bytes[partner * bytes + i % bytes];
                ASSERT_LE(std::abs(to.bytes[i] - exact), 0.5001) << field << " " << i;
                blended += to.bytes[i] == from.bytes[i] ? 0 : 1;
            }
        }
        for (const float number : tensor_of(made, "number").as<float>()) {
            EXPECT_NEAR(number, 0.5F, 1e-7F);  // a mix of equal numbers is the same number
        }
    }
    EXPECT_GT(blended, 20000U);  // of 60480 values
}

TEST(mixup, draws_one_share_for_a_batch_and_all_partners_alike) {
    for (const double alpha : {0.2, 1.0, 8.0}) {
        const Chain chain = chain_of(mixup(", alpha = " + std::to_string(alpha)), "size = [1, 1]");
        Loader loader(chain, mixing_options({"first", "label"}));
        std::vector<double> shares;
        std::array<int, 8> of_first{};
        for (int epoch = 0; epoch < 4000; ++epoch) {
            const Batch& batch = loader.next();
            std::array<int, 8> partners{};
            for (const Mixed& mixed : mixed_labels(batch)) {
                ++partners.at(mixed.partner);
                EXPECT_TRUE(mixed.share == 1.0F || mixed.share == share_of(batch));
            }
            ++of_first.at(mixed_labels(batch)[0].partner);
            // If the share is 1, each sample seems to be its own partner.
            EXPECT_EQ(partners, (std::array<int, 8>{1, 1, 1, 1, 1, 1, 1, 1}));
            shares.push_back(static_cast<double>(share_of(batch).value_or(1.0F)));
        }
        double mean = 0.0;
        double square = 0.0;
        for (const double share : shares) {
            mean += share / 4000;
            square += (share - 0.5) * (share - 0.5) / 4000;
        }
        const double variance = 0.25 / (2.0 * alpha + 1.0);
        EXPECT_NEAR(mean, 0.5, 5.0 * std::sqrt(variance / 4000)) << alpha;
        EXPECT_NEAR(square, variance, 0.07 * variance) << alpha;
        if (alpha == 8.0) {  // no share is rounded to 1
            for (const int count : of_first) {
                EXPECT_NEAR(count, 500, 105);  // five standard deviations are tolerated
            }
        }
    }
}

TEST(mixup, of_the_smallest_alpha_is_finite) {
    const Chain chain = chain_of(mixup(", alpha = 0.001"), "size = [1, 1]");
    Loader loader(chain, mixing_options({"first", "label"}));
    int whole = 0;
    for (int epoch = 0; epoch < 200; ++epoch) {
        for (const float number : tensor_of(loader.next(), "label").as<float>()) {
            ASSERT_TRUE(number >= 0.0F && number <= 1.0F);
            whole += number == 0.0F || number == 1.0F ? 1 : 0;
        }
    }
    EXPECT_GT(whole, 200 * 64 * 9 / 10);
}

TEST(mixup, leaves_a_batch_of_one) { expect_one_left_alone("use = \"mixup\", alpha = 1.0"); }

TEST(mixup, mixes_the_fields_that_are_named) {
    Compared loaders("", "use = \"mixup\", alpha = 4.0, fields = [\"second\"]", "", {"first", "second", "label"});
    const Batch& given = loaders.before.next();
    const Batch& made = loaders.after.next();
    EXPECT_EQ(tensor_of(made, "first").bytes, tensor_of(given, "first").bytes);
    EXPECT_EQ(tensor_of(made, "label").bytes, tensor_of(given, "label").bytes);
    EXPECT_NE(tensor_of(made, "second").bytes, tensor_of(given, "second").bytes);
}

TEST(mixup, is_the_same_for_any_threads) {
    expect_mixed_by_epoch("use = \"random_flip\" }, { use = \"mixup\", alpha = 1.0", {"first", "number"});
}

TEST(mixup, refuses_what_has_no_mean) {
    expect_contains(mixing_refusal("use = \"mixup\"", {"first", "label"}),
                    {"2 test.toml:2", "'label' is a class number, [] int64", "an image or a float32 tensor",
                     "put { use = \"one_hot\", classes = ... } before"});
    expect_contains(mixing_refusal("use = \"mixup\"", {"first", "map"}), {"'map' is a label map"});
    expect_contains(mixing_refusal("use = \"mixup\", fields = []", {"first"}),
                    {"nothing to mix", "'first' (an image)"});
    expect_contains(mixing_refusal("use = \"mixup\", fields = [\"second\"]", {"first"}), {"no field 'second'"});
    expect_contains(mixing_refusal("use = \"mixup\", alpha = 0", {"first"}), {"alpha", "0.001"});
}

}  // namespace
}  // namespace sluice::data
