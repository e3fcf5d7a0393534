// Tensors of PyTorch: their names, and how they become ours.
#include "run/pretrained/torch_tensors.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace sluice::run {
namespace {

OwnTensor tensor(const std::string& path, const std::string& leaf, const std::string& type,
                 std::initializer_list<std::int64_t> shape = {1}) {
    return {.name = "model/" + path + "/" + leaf,
            .path = path,
            .leaf = leaf,
            .layer_type = type,
            .spec = make_spec(kFloat32, shape)};
}

// A tensor of a file with the elements 0, 1, 2 ...
class Counted {
public:
    explicit Counted(std::initializer_list<std::int64_t> shape) : spec_(make_spec(kFloat32, shape)) {
        values_.resize(static_cast<std::size_t>(element_count(spec_)));
        std::iota(values_.begin(), values_.end(), 0.0F);
    }
    [[nodiscard]] NamedBytes bytes() const {
        return {.name = "theirs",
                .spec = spec_,
                .bytes = {reinterpret_cast<const char*>(values_.data()), values_.size() * sizeof(float)}};
    }

private:
    sluice_tensor_spec spec_;
    std::vector<float> values_;
};

TEST(TorchTensors, have_names_of_modules) {
    EXPECT_EQ(torch_name(tensor("layer1/0/conv1", "kernel", "conv2d"), {}), "layer1.0.conv1.weight");
    EXPECT_EQ(torch_name(tensor("bn1", "gamma", "batch_norm"), {}), "bn1.weight");
    EXPECT_EQ(torch_name(tensor("bn1", "beta", "batch_norm"), {}), "bn1.bias");
    EXPECT_EQ(torch_name(tensor("bn1", "mean", "batch_norm"), {}), "bn1.running_mean");
    EXPECT_EQ(torch_name(tensor("bn1", "variance", "batch_norm"), {}), "bn1.running_var");
    EXPECT_EQ(torch_name(tensor("act", "slope", "prelu"), {}), "act.weight");
    EXPECT_EQ(torch_name(tensor("features/1/0/layer_scale", "gamma", "layer_scale"), {}), "features.1.0.layer_scale");
}

TEST(TorchTensors, take_other_names_by_rules) {
    const std::vector<config::NameRule> rules{{"conv_stem", "stem/0"}, {"blocks/*/*/conv_pw", "blocks/*/*/expand"}};
    EXPECT_EQ(torch_name(tensor("conv_stem", "kernel", "conv2d"), rules), "stem.0.weight");
    EXPECT_EQ(torch_name(tensor("blocks/3/1/conv_pw", "kernel", "conv2d"), rules), "blocks.3.1.expand.weight");
    EXPECT_EQ(torch_name(tensor("blocks/3/conv_pw", "kernel", "conv2d"), rules), "blocks.3.conv_pw.weight");
    const std::vector<config::NameRule> chain{{"blocks/1/0", "_blocks/1"}, {"_blocks/*/bn1", "_blocks/*/_bn0"}};
    EXPECT_EQ(torch_name(tensor("blocks/1/0/bn1", "gamma", "batch_norm"), chain), "_blocks.1._bn0.weight");
    EXPECT_EQ(torch_name(tensor("blocks/1/0/conv", "kernel", "conv2d"), chain), "_blocks.1.conv.weight");
}

TEST(TorchTensors, of_convolutions_have_channels_first) {
    // 2 filters of 1x2 pixels and 3 channels: element [o, 0, w, i] is [o, i, 0, w] of theirs.
    const auto values = from_torch(tensor("c", "kernel", "conv2d", {2, 1, 2, 3}), Counted({2, 3, 1, 2}).bytes());
    ASSERT_TRUE(values);
    EXPECT_EQ(*values, (std::vector<float>{0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11}));
}

TEST(TorchTensors, of_transposed_convolutions_have_inputs_first) {
    const auto values =
        from_torch(tensor("c", "kernel", "conv2d_transpose", {2, 1, 1, 3}), Counted({3, 2, 1, 1}).bytes());
    ASSERT_TRUE(values);
    EXPECT_EQ(*values, (std::vector<float>{0, 2, 4, 1, 3, 5}));
}

TEST(TorchTensors, of_dense_layers_after_flatten_have_channels_first) {
    OwnTensor dense = tensor("fc", "kernel", "dense", {1, 12});
    dense.picture = {2, 2, 3};
    const auto values = from_torch(dense, Counted({1, 12}).bytes());
    ASSERT_TRUE(values);
    EXPECT_EQ(*values, (std::vector<float>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
    const auto plain = from_torch(tensor("fc", "kernel", "dense", {1, 12}), Counted({1, 12}).bytes());
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->at(1), 1.0F);
}

TEST(TorchTensors, may_have_extents_of_one) {
    EXPECT_TRUE(from_torch(tensor("s", "gamma", "layer_scale", {4}), Counted({1, 4, 1, 1}).bytes()));
    EXPECT_TRUE(from_torch(tensor("c", "kernel", "conv2d", {2, 1, 1, 4}), Counted({2, 4}).bytes()));
    EXPECT_FALSE(from_torch(tensor("s", "gamma", "layer_scale", {4}), Counted({1, 5, 1, 1}).bytes()));
    EXPECT_FALSE(from_torch(tensor("c", "kernel", "conv2d", {2, 3, 3, 4}), Counted({2, 3, 3, 4}).bytes()));
}

TEST(TorchTensors, are_converted_to_float32) {
    const std::vector<std::uint16_t> halves{0x3C00, 0xC000};  // 1, -2 in float16
    const NamedBytes theirs{
        .name = "theirs", .spec = make_spec(kFloat16, {2}), .bytes = {reinterpret_cast<const char*>(halves.data()), 4}};
    EXPECT_EQ(from_torch(tensor("bn", "gamma", "batch_norm", {2}), theirs), (std::vector<float>{1.0F, -2.0F}));
    const NamedBytes counter{
        .name = "theirs", .spec = make_spec(kInt64, {1}), .bytes = {reinterpret_cast<const char*>(halves.data()), 4}};
    EXPECT_FALSE(from_torch(tensor("bn", "gamma", "batch_norm", {1}), counter));
}

}  // namespace
}  // namespace sluice::run
