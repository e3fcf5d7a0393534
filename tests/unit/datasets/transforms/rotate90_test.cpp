// Transform `rotate90`.
#include <map>

#include "unit/datasets/transforms/transform_test.hpp"

namespace sluice::data {
namespace {

// Turns a picture by a quarter turn counter-clockwise.
Image plain_turn(const Image& from) {
    Image to{from.width, from.height, from.channels, {}};
    for (std::int64_t y = 0; y < to.height; ++y) {
        for (std::int64_t x = 0; x < to.width; ++x) {
            for (std::int64_t c = 0; c < to.channels; ++c) {
                to.add(from.at(x, from.width - 1 - y, c));
            }
        }
    }
    return to;
}

Image plain_turns(Image image, int turns) {
    for (int i = 0; i < turns; ++i) {
        image = plain_turn(image);
    }
    return image;
}

TEST(rotate90, turns_counter_clockwise) {
    for (const std::string channels : {"channels = 3", "channels = 1", "channels = 4"}) {
        for (int turns = 0; turns < 4; ++turns) {
            const Chain chain = chain_of("use = \"rotate90\", turns = [" + std::to_string(turns) + "]", channels);
            EXPECT_EQ(made(chain, "first"), plain_turns(given("first", channels), turns)) << turns;
        }
    }
}

TEST(rotate90, turns_all_pictures_of_a_sample_alike_and_each_way_as_often) {
    const Chain chain = chain_of("use = \"rotate90\"", "size = [9, 9]");
    Chain::Worker worker(chain);
    const Image first = given("first", "size = [9, 9]");
    std::map<int, int> counts;
    for (std::uint64_t epoch = 0; epoch < 2000; ++epoch) {
        const Sample& sample = worker.make(epoch, 0);
        const Image turned = image_of(sample, "first");
        int turns = 0;
        while (turns < 4 && turned != plain_turns(first, turns)) {
            ++turns;
        }
        ASSERT_LT(turns, 4);
        ++counts[turns];
        if (epoch < 20) {
            EXPECT_EQ(image_of(sample, "second"), plain_turns(given("second", "size = [9, 9]"), turns));
            EXPECT_EQ(image_of(sample, "map"), plain_turns(given("map", "size = [9, 9]"), turns));
        }
    }
    for (const auto& [turns, count] : counts) {
        EXPECT_NEAR(count, 500, 100) << turns;  // five standard deviations are tolerated
    }
}

TEST(rotate90, says_which_sizes_come_out) {
    const auto shape = [](const std::string& turns) {
        const Chain chain = chain_of("use = \"rotate90\", turns = " + turns);
        return std::pair(chain.fields()[0].spec.shape[0], chain.fields()[0].spec.shape[1]);
    };
    const auto pair = [](std::int64_t height, std::int64_t width) { return std::pair(height, width); };
    EXPECT_EQ(shape("[0, 2]"), pair(20, 30));
    EXPECT_EQ(shape("[3, 1]"), pair(30, 20));
    EXPECT_EQ(shape("[0, 1]"), pair(-1, -1));
}

TEST(rotate90, draws_by_key) { expect_draws_by_key("use = \"rotate90\"", "first"); }

TEST(rotate90, refuses_options_that_do_not_fit) {
    expect_contains(refusal("use = \"rotate90\", turns = []"), {"rotate90", "'turns' is empty"});
    expect_contains(refusal("use = \"rotate90\", turns = [4]"), {"turns[0]", "3"});
}

}  // namespace
}  // namespace sluice::data
