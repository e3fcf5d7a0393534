// What a layer type reports: right values are copied, wrong ones are named as the plugin's fault.
#include "registry/objects/layer.hpp"

#include <gtest/gtest.h>

#include "registry/loading/registry.hpp"
#include "unit/registry/registry_files.hpp"

namespace sluice::registry {
namespace {

const Origin kOrigin{Origin::Kind::file, "deblur.toml", 14, 3};
const sluice_tensor_spec kImage = make_spec(kFloat32, {2, 5, 7, 3});

// Returns the message about the layer of broken_plugins/liar.c after its lie `number`.
std::string lie(std::int64_t number, Exit exit) {
    static const Registry registry(test::broken_plugin("liar").parent_path(), {});
    const Component component = registry.find(Kind::layer, "liar", kOrigin);
    Table options;
    options.set("filters", {number, {}});
    return test::error_of(
        [&] {
            const Layer layer(component, options, "layer");
            (void)layer.infer(std::span(&kImage, 1), "deblur.toml:9:1: layer 'liar'");
        },
        exit);
}

TEST(Layer, copies_what_it_reports) {
    const Registry registry(test::broken_plugin("sound").parent_path(), {});
    const Layer layer(registry.find(Kind::layer, "sound", kOrigin), {}, "layer 'sound'");
    const LayerShape shape = layer.infer(std::span(&kImage, 1), "layer 'sound'");
    ASSERT_EQ(shape.outputs.size(), 1U);
    EXPECT_EQ(to_string(shape.outputs[0]), "[2, 5, 7, 3] float32");
    EXPECT_EQ(shape.flops, 7.0);
    EXPECT_EQ(test::error_of([&] { (void)layer.infer({}, "deblur.toml:9:1: layer 'sound'"); }, Exit::config),
              "deblur.toml:9:1: layer 'sound': has 0 inputs; layer sound takes 1");
}

TEST(Layer, names_the_plugin_that_lies) {
    const std::string start = "plugin test.liar 1.0 misbehaves: layer 'liar': ";
    EXPECT_EQ(lie(1, Exit::plugin), start + "output 0 has rank 12; 0 to 8 is right");
    EXPECT_EQ(lie(2, Exit::plugin), start + "output 0 has an unknown element type (code 2, 7 bits, 1 lanes)");
    EXPECT_EQ(lie(3, Exit::plugin), start + "its parameter 'kernel' appears twice");
    EXPECT_EQ(lie(4, Exit::plugin), start + "it reports no output");
    EXPECT_EQ(lie(5, Exit::plugin), start +
                                        "output 0 is [9223372036854775807, 5, 7, 3] float32; every extent is at "
                                        "least 1 and the whole fits in memory");
    EXPECT_EQ(lie(8, Exit::plugin), start + "reserved of parameter 'kernel' is 1; 0 is right");
    EXPECT_EQ(lie(9, Exit::plugin), start + "reserved of its traits is 4; 0 is right");
    EXPECT_EQ(lie(10, Exit::plugin), start + "it takes 1 to 65 inputs; 1 to 64 is right");
    EXPECT_EQ(lie(11, Exit::plugin),
              start + "its autocast category (colour) is 4; infer, allow, deny and clear are 0 to 3");
    EXPECT_EQ(lie(12, Exit::plugin), start + "it sets flags 0x100000, which this host does not know");
    EXPECT_EQ(lie(13, Exit::plugin), start + "it has -5 classes of labels; 0 or more is right");
}

TEST(Layer, passes_the_plugins_own_errors_on) {
    EXPECT_EQ(lie(6, Exit::plugin), "deblur.toml:9:1: layer 'liar': a status from the future (test.liar.layer 1.0)");
    EXPECT_EQ(lie(7, Exit::config), "deblur.toml:9:1: layer 'liar': the input is wrong (test.liar.layer 1.0)");
}

}  // namespace
}  // namespace sluice::registry
