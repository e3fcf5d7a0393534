// A convolution to few channels is computed in blocks of pixels or pixel by pixel, whichever measured faster.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "chain_step.hpp"
#include "kernels/kernels.hpp"
#include "option_values.hpp"

namespace sluice::cudnn {
namespace {

using emulated::test::spec;
using Tensors = std::vector<std::vector<float>>;
using Choices = std::map<std::string, std::string>;

// The last layer of deblur.toml on a small picture: 3x3 taps, padding "reflect", from 16 channels.
class ConvolutionsToFewChannels : public emulated::test::GpuTest {
protected:
    struct Found {
        std::string note;  // the note of the kernel
        Tensors tensors;   // output, gradients of the input and of the kernels
    };

    // Plans the kernel, and runs a step if `run`.
    Found plan(Memory& memory, FewFilters way, std::int64_t filters, bool run) const {
        const sluice_tensor_spec x = spec(sdk::kBfloat16, {2, 8, 12, 16});
        const sluice_tensor_spec y = spec(sdk::kBfloat16, {2, 8, 12, filters});
        const sluice_tensor_spec w = spec(sdk::kFloat32, {filters, 3, 3, 16});
        sluice_node node{};
        node.type = sdk::text_of("conv2d");
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
        const KernelPtr kernel = make_conv2d({sdk::Chain(&chain, 1), memory.sink(), planner});
        return {memory.note, run ? run_step(*kernel, memory, {x, y, {w}, {}}, true, stream) : Tensors{}};
    }

    std::string note(Memory& memory, FewFilters way = FewFilters::measured, std::int64_t filters = 3) const {
        return plan(memory, way, filters, false).note;
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

    // Sets the time of the choices whose key has both texts.
    static void change(Choices& choices, const std::string& taps, const std::string& direction, const std::string& ms) {
        for (auto& [key, choice] : choices) {
            if (key.find(taps) != std::string::npos && key.find(direction) != std::string::npos) {
                choice = choice.substr(0, choice.rfind(", ")) + ", " + ms + " ms";
            }
        }
    }

private:
    std::array<sluice_pair, 5> pairs_ = convolution_options(3, "reflect");
    sluice_value options_ = table(pairs_);
};

// Returns the directions that, by the note, are computed in blocks of 4x4 pixels: "fwd bwd_w".
std::string in_blocks(const std::string& note) {
    std::string all;
    std::string direction;
    std::istringstream parts(note);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::string word = part.substr(part.find_first_not_of(' '));
        if (word.starts_with("fwd ") || word.starts_with("bwd_")) {
            direction = word.substr(0, word.find(' '));
        } else if (word == "4x4 pixels as channels") {
            all += (all.empty() ? "" : " ") + direction;
        }
    }
    return all;
}

constexpr const char* kAll = "fwd bwd_d bwd_w";

TEST_F(ConvolutionsToFewChannels, are_computed_as_was_faster_in_each_direction) {
    Choices choices = measured();
    ASSERT_EQ(choices.size(), 6U) << "3 directions, in blocks of 4x4 and pixel by pixel";
    change(choices, "taps3x3", "", "1");
    change(choices, "taps6x6", "", "0.9");
    EXPECT_EQ(in_blocks(note(choices)), kAll) << note(choices);
    change(choices, "taps6x6", "bwd_w", "1.25");
    EXPECT_EQ(in_blocks(note(choices)), "fwd bwd_d") << note(choices);
    change(choices, "taps6x6", "fwd", "1.25");
    EXPECT_EQ(in_blocks(note(choices)), "bwd_d") << note(choices);
}

// Each direction runs in blocks or pixel by pixel. All forms give the same, except for the rounding to 16 bits.
TEST_F(ConvolutionsToFewChannels, give_the_same_in_all_forms) {
    const Choices choices = measured();
    const std::array<const char*, 3> directions{"fwd", "bwd_d", "bwd_w"};
    std::set<std::string> forms;
    Tensors first;
    for (unsigned form = 0; form < 8; ++form) {
        Memory memory(false);
        memory.choices = choices;
        change(memory.choices, "taps3x3", "", "1");
        for (std::size_t i = 0; i < directions.size(); ++i) {
            change(memory.choices, "taps6x6", directions[i], (form >> i & 1) != 0 ? "2" : "0.5");
        }
        const Found found = plan(memory, FewFilters::measured, 3, true);
        forms.insert(in_blocks(found.note));
        first = first.empty() ? found.tensors : first;
        for (std::size_t t = 0; t < first.size(); ++t) {
            const float scale = std::ranges::max(first[t]);
            for (std::size_t i = 0; i < first[t].size(); ++i) {
                ASSERT_NEAR(found.tensors[t][i], first[t][i], 0.01F * scale) << found.note << ", tensor " << t;
            }
        }
    }
    EXPECT_EQ(forms.size(), 8U);
}

TEST_F(ConvolutionsToFewChannels, are_computed_in_blocks_if_nothing_was_measured) {
    EXPECT_EQ(in_blocks(note(Choices{})), kAll);
}

TEST_F(ConvolutionsToFewChannels, are_computed_as_the_user_says) {
    Choices choices = measured();
    change(choices, "taps3x3", "", "1");
    change(choices, "taps6x6", "", "1.5");
    EXPECT_EQ(in_blocks(note(choices, FewFilters::blocks)), kAll);
    change(choices, "taps6x6", "", "0.5");
    EXPECT_EQ(in_blocks(note(choices, FewFilters::pixels)), "");
}

TEST_F(ConvolutionsToFewChannels, have_at_most_4) {
    Memory memory(false);
    EXPECT_EQ(in_blocks(note(memory, FewFilters::blocks, 4)), kAll);
    EXPECT_EQ(in_blocks(note(memory, FewFilters::blocks, 5)), "");
}

}  // namespace
}  // namespace sluice::cudnn
