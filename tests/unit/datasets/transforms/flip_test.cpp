// Transform `random_flip`.
#include <set>

#include "unit/datasets/transforms/transform_test.hpp"

namespace sluice::data {
namespace {

Image plain_flip(const Image& from, bool left_right, bool top_bottom) {
    Image to{from.height, from.width, from.channels, {}};
    for (std::int64_t y = 0; y < to.height; ++y) {
        for (std::int64_t x = 0; x < to.width; ++x) {
            for (std::int64_t c = 0; c < to.channels; ++c) {
                to.add(from.at(top_bottom ? from.height - 1 - y : y, left_right ? from.width - 1 - x : x, c));
            }
        }
    }
    return to;
}

TEST(random_flip, mirrors_pictures_of_any_width_and_channels) {
    for (const std::string channels : {"channels = 3", "channels = 1", "channels = 4"}) {
        for (const std::string width : {"1", "2", "3", "4", "17"}) {
            const std::string picture = "size = [6, " + width + "], " + channels;
            const Chain chain = chain_of("use = \"random_flip\", vertical = true", picture);
            const Image first = given("first", picture);
            std::set<int> ways;
            Chain::Worker worker(chain);
            for (std::uint64_t epoch = 0; epoch < 40; ++epoch) {
                const Image flipped = image_of(worker.make(epoch, 0), "first");
                int way = 0;
                while (way < 4 && flipped != plain_flip(first, way % 2 == 1, way >= 2)) {
                    ++way;
                }
                ASSERT_LT(way, 4) << picture;
                ways.insert(way);
            }
            EXPECT_EQ(ways.size(), width == "1" ? 2U : 4U) << picture;  // one column has no left and right
        }
    }
}

}  // namespace
}  // namespace sluice::data
