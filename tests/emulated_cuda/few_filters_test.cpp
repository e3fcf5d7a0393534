// How a convolution to few channels is computed: in blocks of pixels or pixel by pixel, as it was measured.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "kernels/kernels.hpp"
#include "planner_memory.hpp"

namespace sluice::cudnn {
namespace {

using Choices = std::map<std::string, std::string>;

sluice_value int_value(std::int64_t value) {
    sluice_value made{};
    made.kind = SLUICE_INT;
    made.as.i = value;
    return made;
}

// The last layer of deblur.toml on a small picture: 3x3 taps, reflected, from 16 channels.
class ConvolutionsToFewChannels : public testing::Test {
protected:
    ConvolutionsToFewChannels() {
        constexpr std::string_view kReflect = "reflect";
        padding_.kind = SLUICE_STRING;
        padding_.count = kReflect.size();
        padding_.as.text = kReflect.data();
        pairs_ = {{{sdk::text_of("dilation"), int_value(1)},
                   {sdk::text_of("groups"), int_value(1)},
                   {sdk::text_of("kernel"), int_value(3)},
                   {sdk::text_of("padding"), padding_},
                   {sdk::text_of("stride"), int_value(1)}}};
        options_.kind = SLUICE_TABLE;
        options_.count = pairs_.size();
        options_.as.pairs = pairs_.data();
    }

    // What the kernel says of itself.
    std::string note(Memory& memory, FewFilters way = FewFilters::measured, std::int64_t filters = 3) const {
        const sluice_tensor_spec x = spec({2, 8, 12, 16});
        const sluice_tensor_spec y = spec({2, 8, 12, filters});
        const sluice_tensor_spec w = spec({filters, 3, 3, 16});
        sluice_node node{};
        node.options = &options_;
        node.inputs = &x;
        node.outputs = &y;
        node.parameters = &w;
        node.input_count = node.output_count = node.parameter_count = 1;
        node.wanted_gradients = 1;
        node.chained_input = -1;
        node.flags = SLUICE_NODE_TRAIN;
        Planner planner({.few_filters = way});
        const sluice_node* const chain = &node;
        static_cast<void>(make_conv2d({sdk::Chain(&chain, 1), memory.sink(), planner}));
        return memory.note;
    }

    std::string note(const Choices& choices, FewFilters way = FewFilters::measured) const {
        Memory memory(false);
        memory.choices = choices;
        return note(memory, way);
    }

    [[nodiscard]] Choices measured() const {
        Memory memory(true);
        static_cast<void>(note(memory));
        return memory.choices;
    }

    // The choices whose key has both texts took so long.
    static void change(Choices& choices, const std::string& taps, const std::string& direction, const std::string& ms) {
        for (auto& [key, choice] : choices) {
            if (key.find(taps) != std::string::npos && key.find(direction) != std::string::npos) {
                choice = choice.substr(0, choice.rfind(", ")) + ", " + ms + " ms";
            }
        }
    }

private:
    static sluice_tensor_spec spec(const std::array<std::int64_t, 4>& shape) {
        sluice_tensor_spec made{};
        made.dtype = sdk::kBfloat16;
        made.rank = 4;
        std::copy(shape.begin(), shape.end(), made.shape);
        return made;
    }

    sluice_value padding_{};
    std::array<sluice_pair, 5> pairs_{};
    sluice_value options_{};
};

TEST_F(ConvolutionsToFewChannels, are_computed_as_was_faster_in_all_directions_together) {
    Choices choices = measured();
    ASSERT_EQ(choices.size(), 6U) << "3 directions, in blocks of 4x4 and pixel by pixel";
    change(choices, "taps3x3", "", "1");
    change(choices, "taps6x6", "", "0.9");
    EXPECT_TRUE(note(choices).starts_with("4x4 pixels as channels, fwd ")) << note(choices);
    change(choices, "taps6x6", "bwd_w", "1.25");
    EXPECT_TRUE(note(choices).starts_with("fwd ")) << note(choices);
}

TEST_F(ConvolutionsToFewChannels, are_computed_in_blocks_where_nothing_was_measured) {
    EXPECT_TRUE(note(Choices{}).starts_with("4x4 pixels as channels, fwd "));
}

TEST_F(ConvolutionsToFewChannels, are_computed_as_the_user_says) {
    Choices choices = measured();
    change(choices, "taps3x3", "", "1");
    change(choices, "taps6x6", "", "1.5");
    EXPECT_TRUE(note(choices, FewFilters::blocks).starts_with("4x4 pixels as channels, fwd "));
    change(choices, "taps6x6", "", "0.5");
    EXPECT_TRUE(note(choices, FewFilters::pixels).starts_with("fwd "));
}

TEST_F(ConvolutionsToFewChannels, have_at_most_4) {
    Memory memory(false);
    EXPECT_TRUE(note(memory, FewFilters::blocks, 4).starts_with("4x4 pixels as channels"));
    EXPECT_TRUE(note(memory, FewFilters::blocks, 5).starts_with("fwd "));
}

}  // namespace
}  // namespace sluice::cudnn
