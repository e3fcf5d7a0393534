// Which tensors of a file a network takes.
#include "run/pretrained/match.hpp"

#include <gtest/gtest.h>

namespace sluice::run {
namespace {

const std::vector<OwnTensor>& network() {
    static const std::vector<OwnTensor> tensors = [] {
        const sluice_tensor_spec two = make_spec(kFloat32, {2});
        const auto tensor = [&](const std::string& name, const std::string& path, const std::string& leaf,
                                const std::string& type) {
            return OwnTensor{.name = name, .path = path, .leaf = leaf, .layer_type = type, .spec = two};
        };
        return std::vector<OwnTensor>{tensor("model/bn/gamma", "bn", "gamma", "batch_norm"),
                                      tensor("running/bn/mean", "bn", "mean", "batch_norm"),
                                      tensor("model/fc/bias", "fc", "bias", "dense")};
    }();
    return tensors;
}

// A file whose tensors are all two float32 numbers.
SafetensorsFile file_of(const std::vector<std::string>& names) {
    static const std::vector<float> values(2, 1.0F);
    SafetensorsFile file;
    for (const std::string& name : names) {
        file.tensors.push_back({.name = name,
                                .spec = make_spec(kFloat32, {2}),
                                .bytes = {reinterpret_cast<const char*>(values.data()), 2 * sizeof(float)}});
    }
    return file;
}

TEST(Pretrained, tensors_are_found_by_the_names_of_torch) {
    const SafetensorsFile file = file_of({"bn.weight", "bn.running_mean", "bn.num_batches_tracked", "aux.weight"});
    const Matches matches = match_tensors(network(), file, {});
    EXPECT_EQ(matches.naming, "torch");
    EXPECT_EQ(matches.loaded(), 2U);
    EXPECT_EQ(matches.tensors[2].theirs, nullptr);
    EXPECT_EQ(matches.tensors[2].wanted, "fc.bias");
    EXPECT_EQ(matches.unexpected, std::vector<std::string>{"aux.weight"});
}

TEST(Pretrained, tensors_may_have_a_prefix) {
    const SafetensorsFile file = file_of({"module.bn.weight", "module.bn.running_mean", "module.fc.bias"});
    const Matches matches = match_tensors(network(), file, {});
    EXPECT_EQ(matches.loaded(), 3U);
    EXPECT_EQ(matches.tensors[0].wanted, "module.bn.weight");
}

TEST(Pretrained, tensors_are_found_by_other_names_of_the_model) {
    const std::vector<config::NameSet> sets{{.name = "other", .rules = {{"bn", "stem/1"}, {"fc", "head"}}}};
    const SafetensorsFile file = file_of({"stem.1.weight", "stem.1.running_mean", "head.bias"});
    const Matches matches = match_tensors(network(), file, sets);
    EXPECT_EQ(matches.naming, "other");
    EXPECT_EQ(matches.loaded(), 3U);
}

TEST(Pretrained, checkpoints_of_ours_give_their_average) {
    const SafetensorsFile file = file_of(
        {"model/bn/gamma", "running/bn/mean", "model/fc/bias", "average/model/bn/gamma", "optimizer/moment1/bn/gamma"});
    const Matches matches = match_tensors(network(), file, {});
    EXPECT_EQ(matches.naming, "sluice");
    EXPECT_EQ(matches.loaded(), 3U);
    EXPECT_EQ(matches.tensors[0].wanted, "average/model/bn/gamma");
    EXPECT_TRUE(matches.unexpected.empty());
}

}  // namespace
}  // namespace sluice::run
