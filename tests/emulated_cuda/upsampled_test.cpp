// A convolution of an upsampled image is computed in phases or from the enlarged image, whichever measured faster.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
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

enum class Chain { training, adding_training, evaluation };

// upsample by 2 and conv2d of 3x3 taps with a bias from 16 to 24 channels. Outside training batch_norm follows.
class UpsampledConvolutions : public emulated::test::GpuTest {
protected:
    UpsampledConvolutions() {
        tables_ = {table(of_upsample_), table(of_convolution_), table(of_norm_)};
        add_node("upsample", small_, large_, 0);
        add_node("conv2d", large_, result_, 2);
        nodes_[1].parameters = parameters_.data();
        add_node("batch_norm", result_, result_, 2);
        nodes_[2].parameters = parameters_.data() + 2;
        nodes_[2].states = states_.data();
        nodes_[2].state_count = 2;
    }

    struct Found {
        std::string note;  // the note of the kernel
        Tensors tensors;
    };

    Found plan(Memory& memory, Chain chain = Chain::training, UpsampledForm form = UpsampledForm::measured,
               bool runs = false) {
        const bool trains = chain != Chain::evaluation;
        nodes_[0].accumulated_gradients = chain == Chain::adding_training ? 1 : 0;
        for (sluice_node& node : nodes_) {
            node.flags = trains ? SLUICE_NODE_TRAIN : 0;
        }
        const std::size_t count = trains ? 2 : 3;
        const std::array<const sluice_node*, 3> pointers{nodes_.data(), &nodes_[1], &nodes_[2]};
        Planner planner({.upsampled = form});
        const KernelPtr kernel = make_upsampled_conv2d({sdk::Chain(pointers.data(), count), memory.sink(), planner});
        ChainTensors tensors{small_, result_, {parameters_[0], parameters_[1]}, {}};
        if (!trains) {
            tensors.parameters = {parameters_.begin(), parameters_.end()};
            tensors.states = {states_.begin(), states_.end()};
        }
        return {memory.note, runs ? run_step(*kernel, memory, tensors, trains, stream) : Tensors{}};
    }

    std::string note(const Choices& choices, UpsampledForm form = UpsampledForm::measured) {
        Memory memory(false);
        memory.choices = choices;
        return plan(memory, Chain::training, form).note;
    }

    Choices measured(Chain chain = Chain::training) {
        Memory memory(true);
        static_cast<void>(plan(memory, chain));
        return memory.choices;
    }

    // Makes the enlarged image faster in the directions whose bits are set: fwd, bwd_d, bwd_w.
    static void set_faster(Choices& choices, unsigned enlarged) {
        constexpr std::array<const char*, 3> kOfEnlarged{"fwd", "bwd_d", "bwd_w"};
        for (auto& [key, choice] : choices) {
            bool is_faster = false;
            for (std::size_t i = 0; i < kOfEnlarged.size(); ++i) {
                is_faster = is_faster || ((enlarged >> i & 1) != 0 && key.find(kOfEnlarged[i]) != std::string::npos);
            }
            const bool is_enlarged = key.find(" upsampled") != std::string::npos;
            const char* const time = !is_enlarged ? "1" : is_faster ? "0.5" : "2";
            choice = choice.substr(0, choice.rfind(", ")) + ", " + time + " ms";
        }
    }

private:
    void add_node(std::string_view type, const sluice_tensor_spec& input, const sluice_tensor_spec& output,
                  std::uint32_t parameters) {
        sluice_node& node = nodes_[added_];
        node.type = sdk::text_of(type);
        node.options = &tables_[added_];
        node.inputs = &input;
        node.outputs = &output;
        node.input_count = node.output_count = 1;
        node.parameter_count = parameters;
        node.wanted_gradients = 1;
        node.chained_input = added_ == 0 ? -1 : 0;
        ++added_;
    }

    std::array<sluice_pair, 2> of_upsample_{
        {{sdk::text_of("factor"), integer(2)}, {sdk::text_of("mode"), text("nearest")}}};
    std::array<sluice_pair, 5> of_convolution_ = convolution_options(3, "same");
    std::array<sluice_pair, 3> of_norm_ = norm_options(1.5, 0.5, false);  // the variances of tests are larger than -1
    std::array<sluice_value, 3> tables_{};
    sluice_tensor_spec small_ = spec(sdk::kBfloat16, {2, 5, 6, 16});
    sluice_tensor_spec large_ = spec(sdk::kBfloat16, {2, 10, 12, 16});
    sluice_tensor_spec result_ = spec(sdk::kBfloat16, {2, 10, 12, 24});
    // Kernels and bias, gamma and beta.
    std::array<sluice_tensor_spec, 4> parameters_{spec(sdk::kFloat32, {24, 3, 3, 16}), spec(sdk::kFloat32, {24}),
                                                  spec(sdk::kFloat32, {24}), spec(sdk::kFloat32, {24})};
    std::array<sluice_tensor_spec, 2> states_{spec(sdk::kFloat32, {24}), spec(sdk::kFloat32, {24})};
    std::array<sluice_node, 3> nodes_{};
    std::size_t added_ = 0;
};

// Returns, as bits, the directions that by the note are computed from the enlarged image.
unsigned enlarged_in(const std::string& note) {
    unsigned all = 0;
    unsigned direction = 0;
    std::istringstream parts(note);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::string word = part.substr(part.find_first_not_of(' '));
        direction = word.starts_with("fwd ")     ? 1
                    : word.starts_with("bwd_d ") ? 2
                    : word.starts_with("bwd_w ") ? 4
                                                 : direction;
        all |= word == "image enlarged" ? direction : 0;
    }
    return all;
}

void expect_near(const Tensors& found, const Tensors& wanted, const std::string& note) {
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t t = 0; t < wanted.size(); ++t) {
        float scale = 0.0F;
        for (const float value : wanted[t]) {
            ASSERT_TRUE(std::isfinite(value)) << note;
            scale = std::max(scale, std::abs(value));
        }
        ASSERT_GT(scale, 0.0F);
        for (std::size_t i = 0; i < wanted[t].size(); ++i) {
            ASSERT_NEAR(found[t][i], wanted[t][i], 0.01F * scale) << note << ", tensor " << t << " at " << i;
        }
    }
}

TEST_F(UpsampledConvolutions, give_the_same_in_all_forms) {
    for (const Chain chain : {Chain::training, Chain::adding_training}) {
        const Choices choices = measured(chain);
        ASSERT_EQ(choices.size(), 6U) << "3 directions, in phases and of the enlarged image";
        Tensors first;
        for (unsigned form = 0; form < 8; ++form) {
            Memory memory(false);
            memory.choices = choices;
            set_faster(memory.choices, form);
            const Found found = plan(memory, chain, UpsampledForm::measured, true);
            EXPECT_EQ(enlarged_in(found.note), form) << found.note;
            first = first.empty() ? found.tensors : first;
            ASSERT_NO_FATAL_FAILURE(expect_near(found.tensors, first, found.note));
        }
    }
}

TEST_F(UpsampledConvolutions, take_up_a_batch_norm_in_both_forms) {
    Choices choices = measured(Chain::evaluation);
    ASSERT_EQ(choices.size(), 2U);
    Tensors first;
    for (const unsigned form : {0U, 1U}) {
        Memory memory(false);
        memory.choices = choices;
        set_faster(memory.choices, form);
        const Found found = plan(memory, Chain::evaluation, UpsampledForm::measured, true);
        EXPECT_EQ(enlarged_in(found.note), form) << found.note;
        first = first.empty() ? found.tensors : first;
        ASSERT_NO_FATAL_FAILURE(expect_near(found.tensors, first, found.note));
    }
}

TEST_F(UpsampledConvolutions, are_computed_in_phases_if_nothing_was_measured) { EXPECT_EQ(enlarged_in(note({})), 0U); }

TEST_F(UpsampledConvolutions, report_the_products_that_phases_spare) {
    constexpr double kOfEachTap = 2.0 * 2 * 10 * 12 * 16 * 24;
    Memory enlarged(false);
    static_cast<void>(plan(enlarged, Chain::training, UpsampledForm::enlarged));
    EXPECT_EQ(enlarged.forward_flops, 9 * kOfEachTap);
    EXPECT_EQ(enlarged.backward_flops, 2 * 9 * kOfEachTap);
    Memory phases(false);
    static_cast<void>(plan(phases, Chain::training, UpsampledForm::phases));
    EXPECT_EQ(phases.forward_flops, 4 * kOfEachTap);
    EXPECT_EQ(phases.backward_flops, 2 * 4 * kOfEachTap);
}

TEST_F(UpsampledConvolutions, are_computed_as_the_user_says) {
    Choices choices = measured();
    set_faster(choices, 7);
    EXPECT_EQ(enlarged_in(note(choices, UpsampledForm::phases)), 0U);
    set_faster(choices, 0);
    EXPECT_EQ(enlarged_in(note(choices, UpsampledForm::enlarged)), 7U);
}

}  // namespace
}  // namespace sluice::cudnn
