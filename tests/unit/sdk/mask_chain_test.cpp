// Chains of relu, dropout and add as kernels read them.
#include "sluice/sdk/mask_chain.hpp"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "option_values.hpp"

namespace sluice::test {
namespace {

using sdk::Join;
using sdk::MaskLayers;

// Makes chains of nodes of a training, or of an evaluation.
class MaskChains : public testing::Test {
protected:
    sluice_node& append(std::string_view type) {
        sluice_node& node = nodes_.emplace_back();
        node.struct_size = sizeof(node);
        node.type = sdk::text_of(type);
        node.options = &options_;
        node.inputs = specs_.data();
        node.input_count = 1;
        node.chained_input = nodes_.size() == 1 ? -1 : 0;
        node.flags = trains_ ? SLUICE_NODE_TRAIN : 0;
        pointers_.push_back(&node);
        return node;
    }
    // accumulated: bit i is set if the gradient of input i accumulates.
    void append_add(std::int32_t chained_input, std::uint64_t accumulated = 0) {
        sluice_node& node = append("add");
        node.input_count = 2;
        node.chained_input = chained_input;
        node.accumulated_gradients = accumulated;
    }
    void append_all(const std::vector<std::string_view>& types) {
        for (const std::string_view type : types) {
            if (type == "add") {
                append_add(nodes_.empty() ? -1 : 0);
            } else {
                append(type);
            }
        }
    }
    [[nodiscard]] sdk::Chain chain() const { return {pointers_.data(), static_cast<std::uint32_t>(nodes_.size())}; }
    [[nodiscard]] std::optional<MaskLayers> read() const { return sdk::read_mask_chain(chain(), 0, nodes_.size()); }
    [[nodiscard]] bool reads(const std::vector<std::string_view>& types) {
        nodes_.clear();
        pointers_.clear();
        append_all(types);
        return read().has_value();
    }

    bool trains_ = true;

private:
    sluice_pair rate_ = {sdk::text_of("rate"), number(0.25)};
    sluice_value options_ = table({&rate_, 1});
    std::array<sluice_tensor_spec, 3> specs_{};
    std::deque<sluice_node> nodes_;
    std::vector<const sluice_node*> pointers_;
};

TEST_F(MaskChains, relu_is_one) {
    append("relu").accumulated_gradients = 1;
    const auto layers = read();
    ASSERT_TRUE(layers);
    EXPECT_TRUE(layers->relu);
    EXPECT_TRUE(layers->trains);
    EXPECT_TRUE(layers->adds_first);
    EXPECT_FALSE(layers->joins());
    EXPECT_EQ(layers->rate, 0.0);
    EXPECT_EQ(layers->first, 0U);
}

TEST_F(MaskChains, dropout_has_the_rate_and_its_index) {
    append_all({"relu", "dropout"});
    const auto layers = read();
    ASSERT_TRUE(layers);
    EXPECT_EQ(layers->dropout, 1U);
    EXPECT_EQ(layers->rate, 0.25);
    EXPECT_EQ(layers->drop_threshold(), 0x40000000U);
    EXPECT_EQ(layers->kept_factor(), static_cast<float>(4.0 / 3.0));
}

TEST_F(MaskChains, dropout_does_nothing_outside_training) {
    trains_ = false;
    append_all({"relu", "dropout"});
    const auto layers = read();
    ASSERT_TRUE(layers);
    EXPECT_FALSE(layers->trains);
    EXPECT_EQ(layers->rate, 0.0);
    EXPECT_EQ(layers->drop_threshold(), 0U);
    EXPECT_EQ(layers->kept_factor(), 1.0F);
}

TEST_F(MaskChains, threshold_is_rounded_up) {
    EXPECT_EQ(MaskLayers{.rate = 0x1p-33}.drop_threshold(), 1U);
    EXPECT_EQ(MaskLayers{.rate = 0.5}.drop_threshold(), 0x80000000U);
}

TEST_F(MaskChains, add_after_masks_takes_the_other_input_from_outside) {
    append_all({"dropout", "relu"});
    append_add(0, 2);
    const auto layers = read();
    ASSERT_TRUE(layers);
    EXPECT_EQ(layers->join, Join::after_masks);
    EXPECT_EQ(layers->first, 0U);
    EXPECT_EQ(layers->outside, 1U);
    EXPECT_TRUE(layers->adds_outside);
    EXPECT_FALSE(layers->adds_first);
}

TEST_F(MaskChains, add_may_get_the_chain_as_second_input) {
    append("relu");
    append_add(1, 1);
    const auto layers = read();
    ASSERT_TRUE(layers);
    EXPECT_TRUE(layers->adds_outside);
    append_add(1);
    EXPECT_FALSE(read());
}

TEST_F(MaskChains, add_at_the_beginning_has_its_second_input_first) {
    append_add(-1, 2);
    append("relu");
    const auto layers = read();
    ASSERT_TRUE(layers);
    EXPECT_EQ(layers->join, Join::before_masks);
    EXPECT_EQ(layers->first, 1U);
    EXPECT_EQ(layers->outside, 0U);
    EXPECT_TRUE(layers->adds_first);
    EXPECT_FALSE(layers->adds_outside);
}

TEST_F(MaskChains, of_part_of_a_chain_count_from_its_first_layer) {
    append("batch_norm").accumulated_gradients = 1;
    append_add(0, 2);
    append_all({"dropout", "conv2d"});
    const auto layers = sdk::read_mask_chain(chain(), 1, 3, 4);
    ASSERT_TRUE(layers);
    EXPECT_EQ(layers->join, Join::before_masks);
    EXPECT_EQ(layers->first, 0U);
    EXPECT_EQ(layers->outside, 4U);
    EXPECT_EQ(layers->dropout, 2U);
    EXPECT_TRUE(layers->adds_first);
    EXPECT_TRUE(layers->adds_outside);
    EXPECT_FALSE(sdk::read_mask_chain(chain(), 1, 4));
}

TEST_F(MaskChains, have_each_layer_at_most_once) {
    EXPECT_TRUE(reads({"add"}));
    EXPECT_TRUE(reads({"add", "dropout", "relu"}));
    EXPECT_TRUE(reads({"dropout", "relu", "add"}));
    EXPECT_FALSE(reads({"relu", "relu"}));
    EXPECT_FALSE(reads({"dropout", "dropout"}));
    EXPECT_FALSE(reads({"add", "add"}));
    EXPECT_FALSE(reads({"add", "relu", "add"}));
    EXPECT_FALSE(reads({"relu", "add", "dropout"})) << "it would need a second set of mask bits";
    EXPECT_FALSE(reads({"relu", "tanh"}));
}

TEST_F(MaskChains, add_no_other_count_of_tensors_than_two) {
    append("relu");
    append("add").input_count = 3;
    EXPECT_FALSE(read());
}

// Records which tensors may share memory as "input>output", and which gradients as "output<input".
class Shares {
public:
    Shares() {
        abi_.struct_size = sizeof(abi_);
        abi_.impl = this;
        abi_.may_overwrite = [](const sluice_kernel_sink* sink, std::uint32_t input, std::uint32_t output) noexcept {
            self(sink).text_ += std::to_string(input) + ">" + std::to_string(output) + " ";
        };
        abi_.may_overwrite_gradient = [](const sluice_kernel_sink* sink, std::uint32_t output,
                                         std::uint32_t input) noexcept {
            self(sink).text_ += std::to_string(output) + "<" + std::to_string(input) + " ";
        };
    }
    std::string of(const MaskLayers& layers, bool with_first) {
        text_.clear();
        layers.share_memory(sdk::KernelSink(&abi_), with_first);
        return text_;
    }

private:
    static Shares& self(const sluice_kernel_sink* sink) { return *static_cast<Shares*>(sink->impl); }

    sluice_kernel_sink abi_{};
    std::string text_;
};

TEST_F(MaskChains, share_the_memory_of_their_inputs) {
    Shares shares;
    EXPECT_EQ(shares.of({}, true), "0>0 0<0 ");
    EXPECT_EQ(shares.of({.join = Join::before_masks, .first = 1, .outside = 0}, true), "1>0 0>0 0<1 ");
    EXPECT_EQ(shares.of({.join = Join::after_masks, .adds_first = true}, true), "0>0 1>0 ");
    EXPECT_EQ(shares.of({.join = Join::after_masks}, false), "1>0 ");
}

}  // namespace
}  // namespace sluice::test
