// Tests the extents of the outputs of layers, and the messages about inputs that a layer cannot take.
#include <gtest/gtest.h>

#include <ostream>

#include "base/error.hpp"
#include "base/toml/toml.hpp"
#include "registry/loading/registry.hpp"
#include "registry/objects/layer.hpp"

namespace {

using Shape = std::vector<std::int64_t>;
using Shapes = std::vector<Shape>;

sluice::registry::LayerShape infer(const char* type, const char* options, const Shapes& shapes) {
    static const sluice::registry::Registry registry(SLUICE_PLUGINS, {});
    const auto component = registry.find(sluice::registry::Kind::layer, type, {});
    const sluice::Table given = sluice::parse_toml(options, "options");
    const sluice::Table complete = registry.options(component, {.use = type, .origin = {}, .options = given});
    std::vector<sluice_tensor_spec> inputs;
    for (const Shape& shape : shapes) {
        inputs.push_back(sluice::make_spec(sluice::kFloat32, shape));
    }
    return sluice::registry::Layer(component, complete, type).infer(inputs, type);
}

Shape extents(const sluice_tensor_spec& spec) { return {spec.shape, spec.shape + spec.rank}; }

struct Extents {
    const char* type;
    const char* options;  // TOML, one option a line
    Shapes inputs;
    Shape output;
};
std::ostream& operator<<(std::ostream& out, const Extents& test) { return out << test.type << " " << test.options; }

class LayerExtents : public testing::TestWithParam<Extents> {};

TEST_P(LayerExtents, AreThoseOfTheField) {
    const Extents& test = GetParam();
    EXPECT_EQ(extents(infer(test.type, test.options, test.inputs).outputs.at(0)), test.output);
}

INSTANTIATE_TEST_SUITE_P(
    Layers, LayerExtents,
    testing::Values(
        // ResNet's stem, as PyTorch has it: floor((224 + 2 * 3 - 7) / 2) + 1.
        Extents{"conv2d",
                "filters = 64\nkernel = 7\nstride = 2\npadding = 'explicit'\npad = [3]",
                {{2, 224, 224, 3}},
                {2, 112, 112, 64}},
        Extents{"conv2d", "filters = 64\nkernel = 3\ndilation = 2\npadding = 'valid'", {{2, 9, 8, 3}}, {2, 5, 4, 64}},
        Extents{"max_pool",
                "kernel = 3\nstride = 2\npadding = 'explicit'\npad = [1]",
                {{2, 112, 112, 64}},
                {2, 56, 56, 64}},
        Extents{"max_pool", "", {{1, 5, 7, 2}}, {1, 2, 3, 2}},
        Extents{"average_pool", "padding = 'same'", {{1, 5, 7, 2}}, {1, 3, 4, 2}},
        Extents{
            "average_pool", "kernel = 3\nstride = 1\npadding = 'explicit'\npad = [1, 0]", {{1, 5, 7, 2}}, {1, 5, 5, 2}},
        Extents{"global_average_pool", "", {{2, 7, 7, 9}}, {2, 9}},
        Extents{"global_max_pool", "keep_extents = true", {{2, 7, 7, 9}}, {2, 1, 1, 9}},
        Extents{"flatten", "", {{2, 7, 7, 9}}, {2, 441}}, Extents{"dense", "units = 4", {{2, 7, 9}}, {2, 7, 4}},
        // torch.nn.ConvTranspose2d: (5 - 1) * 2 - 2 * 1 + 3 + 1.
        Extents{"conv2d_transpose",
                "stride = 2\npadding = 'explicit'\npad = [1]\noutput_padding = 1",
                {{1, 5, 5, 3}},
                {1, 10, 10, 3}},
        // keras.layers.Conv2DTranspose, "same": 5 * 2.
        Extents{"conv2d_transpose", "stride = 2\nfilters = 7", {{1, 5, 6, 3}}, {1, 10, 12, 7}},
        Extents{"conv2d_transpose", "stride = 2\npadding = 'valid'", {{1, 5, 6, 3}}, {1, 11, 13, 3}},
        Extents{"concat", "", {{2, 5, 3}, {2, 5, 1}, {2, 5, 4}}, {2, 5, 8}},
        Extents{"concat", "axis = 1", {{2, 5, 3}, {2, 1, 3}}, {2, 6, 3}},
        Extents{"multiply", "", {{2, 1, 1, 9}, {2, 7, 6, 9}}, {2, 7, 6, 9}},
        Extents{"upsample", "mode = 'bilinear'\nfactor = 3", {{2, 4, 5, 3}}, {2, 12, 15, 3}}));

TEST(LayerFlops, AreThoseOfTheGroupsAlone) {
    const auto flops = [](const char* options) { return infer("conv2d", options, {{1, 8, 8, 16}}).flops; };
    EXPECT_EQ(flops("filters = 16"), 2.0 * 8 * 8 * 9 * 16 * 16);
    EXPECT_EQ(flops("filters = 16\ngroups = 16"), 2.0 * 8 * 8 * 9 * 16);
}

struct Refusal {
    const char* type;
    const char* options;
    Shapes inputs;
    const char* words;
};
std::ostream& operator<<(std::ostream& out, const Refusal& test) { return out << test.type << " " << test.options; }

class LayerRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(LayerRefusal, SaysWhatWouldBeRight) {
    const Refusal& test = GetParam();
    try {
        infer(test.type, test.options, test.inputs);
        FAIL() << "nothing was thrown";
    } catch (const sluice::Error& error) {
        EXPECT_NE(std::string(error.what()).find(test.words), std::string::npos) << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Layers, LayerRefusal,
    testing::Values(
        Refusal{"conv2d", "filters = 6\ngroups = 4", {{1, 8, 8, 8}}, "groups must divide both"},
        Refusal{"conv2d", "pad = [1]", {{1, 8, 8, 8}}, "only pad is given"},
        Refusal{"conv2d", "padding = 'explicit'\npad = [1, 2, 3]", {{1, 8, 8, 8}}, "it takes 1 (all sides), 2"},
        Refusal{"max_pool", "kernel = 9", {{1, 8, 8, 8}}, "must fit into the padded input, 8"},
        Refusal{"max_pool", "padding = 'explicit'\npad = [2]", {{1, 8, 8, 8}}, "pad must be smaller"},
        Refusal{"global_max_pool", "", {{8, 8}}, "it should be [N, H, W, C]"},
        Refusal{"dense", "units = 4", {{8}}, "it should be [N, ..., C]"},
        Refusal{"conv2d_transpose", "stride = 2\noutput_padding = 1", {{1, 8, 8, 8}}, "it should be 0"},
        Refusal{"conv2d_transpose", "padding = 'valid'\noutput_padding = 1", {{1, 8, 8, 8}}, "less than stride, 1"},
        Refusal{"conv2d_transpose", "padding = 'explicit'\npad = [2]", {{1, 1, 8, 8}}, "height would be -1"},
        Refusal{"concat", "axis = 0", {{2, 3}, {2, 3}}, "axis should be 1 to 1"},
        Refusal{"concat", "", {{2, 4, 3}, {2, 5, 3}}, "they may differ only in axis 2"},
        Refusal{"multiply", "", {{2, 4, 3}, {2, 2, 3}}, "should be that of the product or 1"},
        Refusal{"multiply", "", {{2, 4, 3}, {1, 4, 3}}, "should be that of the product or 1"},
        Refusal{"group_norm", "", {{2, 4, 4, 30}}, "groups is 32 and must divide the channels"},
        Refusal{"instance_norm", "", {{2, 1, 1, 30}}, "at least two pixels"},
        Refusal{"layer_norm", "axes = 2", {{2, 30}}, "must be at most 1"}));

constexpr const char* kDecode =
    "if these are label pictures, decode them with label_maps = [\"FIELD\"] to class numbers";

INSTANTIATE_TEST_SUITE_P(ColoursOfLabelPictures, LayerRefusal,
                         testing::Values(Refusal{"softmax_cross_entropy", "", {{2, 8, 8, 5}, {2, 8, 8, 3}}, kDecode},
                                         Refusal{"mean_iou", "", {{2, 8, 8, 5}, {2, 8, 8, 3}}, kDecode},
                                         Refusal{"dice", "", {{2, 8, 8, 5}, {2, 8, 8, 3}}, kDecode},
                                         Refusal{"binary_cross_entropy", "", {{2, 8, 8, 1}, {2, 8, 8, 3}}, kDecode}));

TEST(LabelPictures, AreSpokenOfOnlyWhereThereMayBeSome) {
    for (const Shapes& shapes :
         {Shapes{{2, 5}, {2, 3}}, Shapes{{2, 5}, {2, 8, 8, 3}}, Shapes{{2, 8, 8, 5}, {2, 8, 8, 4}}}) {
        try {
            infer("softmax_cross_entropy", "", shapes);
            FAIL() << "nothing was thrown";
        } catch (const sluice::Error& error) {
            EXPECT_EQ(std::string(error.what()).find("label_maps"), std::string::npos) << error.what();
        }
    }
}

}  // namespace
