// Transform `cutmix`. Labels of one_hot show which samples were mixed, and noise shows from which sample a pixel is.
#include <cmath>

#include "unit/datasets/transforms/mixing_test.hpp"

namespace sluice::data {
namespace {

std::string cutmix(const std::string& options = "") { return kOneHot + " }, { use = \"cutmix\"" + options; }

// The rectangle of a sample that holds all pixels from other samples.
struct Box {
    std::int64_t top = 1000;
    std::int64_t left = 1000;
    std::int64_t bottom = -1;
    std::int64_t right = -1;
    [[nodiscard]] std::int64_t area() const { return bottom < 0 ? 0 : (bottom - top + 1) * (right - left + 1); }
    [[nodiscard]] bool holds(std::int64_t y, std::int64_t x) const {
        return y >= top && y <= bottom && x >= left && x <= right;
    }
};

// A pixel has `pixel` bytes.
Box find_box(std::span<const std::uint8_t> given, std::span<const std::uint8_t> made, std::int64_t width,
             std::size_t pixel) {
    Box box;
    for (std::size_t i = 0; i < given.size() / pixel; ++i) {
        if (std::memcmp(given.data() + i * pixel, made.data() + i * pixel, pixel) != 0) {
            const auto y = static_cast<std::int64_t>(i) / width;
            const auto x = static_cast<std::int64_t>(i) % width;
            box = {std::min(box.top, y), std::min(box.left, x), std::max(box.bottom, y), std::max(box.right, x)};
        }
    }
    return box;
}

TEST(cutmix, puts_one_rectangle_of_the_partner_and_its_share_of_the_label) {
    Compared loaders(kOneHot, cutmix(), "size = [20, 30]", {"first", "map", "label"});
    bool at_border = false;
    for (int epoch = 0; epoch < 60; ++epoch) {
        const Batch& given = loaders.before.next();
        const Batch& made = loaders.after.next();
        const std::vector<Mixed> mixed = mixed_labels(made);
        for (std::size_t i = 0; i < 8; ++i) {
            if (mixed[i].partner == i) {
                continue;
            }
            constexpr std::size_t kBytes = 20 * 30 * 3;
            const std::span<const std::uint8_t> all = tensor_of(given, "first").bytes;
            const std::span<const std::uint8_t> own = all.subspan(i * kBytes, kBytes);
            const std::span<const std::uint8_t> others = all.subspan(mixed[i].partner * kBytes, kBytes);
            const std::span<const std::uint8_t> now =
                std::span(tensor_of(made, "first").bytes).subspan(i * kBytes, kBytes);
            const Box box = find_box(own, now, 30, 3);
            for (std::int64_t k = 0; k < 20 * 30; ++k) {
                const auto at = static_cast<std::size_t>(3 * k);
                const auto& from = box.holds(k / 30, k % 30) ? others : own;
                ASSERT_EQ(std::memcmp(now.data() + at, from.data() + at, 3), 0);
            }
            EXPECT_EQ(mixed[i].share, static_cast<float>(1.0 - static_cast<double>(box.area()) / 600.0));
            at_border = at_border || box.top == 0 || box.left == 0;
            // The class of a pixel must come from the same sample as the pixel.
            const std::span<const std::uint8_t> classes = tensor_of(made, "map").bytes;
            const std::span<const std::uint8_t> classes_before = tensor_of(given, "map").bytes;
            for (std::size_t k = 0; k < 600; ++k) {
                const auto at = static_cast<std::int64_t>(k);
                const std::size_t from = box.holds(at / 30, at % 30) ? mixed[i].partner : i;
                ASSERT_EQ(classes[600 * i + k], classes_before[600 * from + k]);
            }
        }
    }
    EXPECT_TRUE(at_border);
}

// The share s is uniform, so the box covers 1 - s of the picture, 1/2 on average. The border may cut it off.
TEST(cutmix, draws_boxes_of_all_sizes) {
    const Chain chain = chain_of(cutmix(), "size = [64, 48], channels = 1");
    Loader loader(chain, mixing_options({"first", "label"}));
    double mean = 0.0;
    float least = 1.0F;
    for (int epoch = 0; epoch < 1000; ++epoch) {
        const float share = share_of(loader.next()).value_or(1.0F);
        mean += static_cast<double>(share) / 1000;
        least = std::min(least, share);
    }
    // The edge of the box is r of the picture's edge, and its middle is anywhere. On average r - r^2 / 4 lies inside.
    // The mean of (r - r^2 / 4)^2 over r^2 from 0 to 1 is 1/2 - 1/5 + 1/48.
    EXPECT_NEAR(mean, 1.0 - (0.5 - 0.2 + 1.0 / 48), 0.03);
    EXPECT_LT(least, 0.2F);
}

TEST(cutmix, leaves_a_batch_of_one) { expect_one_left_alone("use = \"cutmix\""); }

TEST(cutmix, is_the_same_for_any_threads) {
    expect_mixed_by_epoch("use = \"random_flip\" }, { use = \"cutmix\"", {"first", "map", "number"});
}

TEST(cutmix, refuses_what_cannot_be_cut) {
    const std::string plain = "use = \"cutmix\"";
    expect_contains(mixing_refusal(plain, {"first", "label"}),
                    {"2 test.toml:2", "'label' is a class number, [] int64",
                     "an image, a label map or a float32 vector", "put { use = \"one_hot\", classes = ... } before"});
    expect_contains(mixing_refusal(plain, {"number"}), {"no image among the fields", "'number' (a tensor)"});
    expect_contains(mixing_refusal(plain, {"first", "second"}, "second_size = [10, 10]"),
                    {"3 data.train: batch 0 of epoch 1: transform 'cutmix'", "'first' is 30x20", "'second' is 10x10",
                     "to be cut together"});
}

}  // namespace
}  // namespace sluice::data
