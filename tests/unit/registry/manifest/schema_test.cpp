// Messages of a schema in full, since a user sees them.
#include <gtest/gtest.h>

#include "base/toml/toml.hpp"
#include "registry/manifest/parse_schema.hpp"
#include "registry/manifest/schema.hpp"
#include "registry/manifest/schema_check.hpp"
#include "registry/manifest/schema_text.hpp"
#include "unit/registry/registry_files.hpp"

namespace sluice::registry {
namespace {

Schema conv2d() {
    return parse_schema(parse_toml(R"(
filters = { type = "int", min = 1, required = true, help = "output channels" }
kernel = { type = "int", min = 1, default = 3, unit = "pixels", help = "side of the window" }
strides = { type = "int", array = 2, min = 1, default = [1, 1], help = "down, across" }
slope = { type = "float", min = 0.0, max = 1, help = "below zero" }
padding = { type = "string", choices = ["same", "valid", "reflect"], default = "same", help = "beyond the edge" }
bias = { type = "bool", default = true, help = "adds one number per filter" }
names = { type = "string", array = true }
)",
                                   "plugin"));
}

Table completed(const std::string& text) {
    return complete(conv2d(), parse_toml(text, "deblur.toml"), "layer 'conv2d'",
                    {Origin::Kind::file, "deblur.toml", 14, 1});
}

std::string complaint(const std::string& text) {
    return test::error_of([&] { (void)completed(text); }, Exit::config);
}

std::string manifest_complaint(const std::string& text) {
    return test::error_of([&] { (void)parse_schema(parse_toml(text, "plugin")); }, Exit::plugin);
}

TEST(Schema, fills_in_defaults_in_its_own_order) {
    const Table options = completed("padding = 'valid'\nfilters = 8\nslope = 1\n");
    std::string text;
    for (const auto& [key, value] : options.entries()) {
        text += key + "=" + to_toml(value) + " ";
    }
    EXPECT_EQ(text, "filters=8 kernel=3 strides=[1, 1] slope=1.0 padding=\"valid\" bias=true ");
    EXPECT_EQ(to_string(options.find("kernel")->origin), "default");
    EXPECT_EQ(to_string(options.find("filters")->origin), "deblur.toml:2:1");
}

TEST(Schema, names_the_nearest_option) {
    EXPECT_EQ(complaint("filers = 3"),
              "deblur.toml:1:1: unknown option 'filers' of layer 'conv2d'; did you mean 'filters'?");
    EXPECT_EQ(complaint("zzzzzzzzzzzz = 3"),
              "deblur.toml:1:1: unknown option 'zzzzzzzzzzzz' of layer 'conv2d'; one of: filters, kernel, strides, "
              "slope, padding, bias, names");
}

TEST(Schema, says_that_there_are_no_options) {
    const std::string text = test::error_of(
        [] { (void)complete({}, parse_toml("a = 1", "deblur.toml"), "layer 'relu'", {}); }, Exit::config);
    EXPECT_EQ(text, "deblur.toml:1:1: unknown option 'a' of layer 'relu'; it takes no options");
}

TEST(Schema, names_a_missing_option) {
    EXPECT_EQ(complaint("kernel = 3"),
              "deblur.toml:14:1: layer 'conv2d' needs option 'filters': an integer >= 1, output channels");
}

TEST(Schema, refuses_a_wrong_type) {
    EXPECT_EQ(complaint("filters = 1\nkernel = '3'"),
              "deblur.toml:2:1: option 'kernel' of layer 'conv2d' is \"3\" (a string); an integer >= 1 is needed");
    EXPECT_EQ(complaint("filters = 1.0"),
              "deblur.toml:1:1: option 'filters' of layer 'conv2d' is 1.0 (a number); an integer >= 1 is needed");
    EXPECT_EQ(complaint("filters = 1\nslope = true"),
              "deblur.toml:2:1: option 'slope' of layer 'conv2d' is true (a boolean); a number from 0 to 1 is needed");
    EXPECT_EQ(complaint("filters = 1\nbias = 1"),
              "deblur.toml:2:1: option 'bias' of layer 'conv2d' is 1 (an integer); true or false is needed");
}

TEST(Schema, refuses_what_is_out_of_range) {
    EXPECT_EQ(complaint("filters = 0"),
              "deblur.toml:1:1: option 'filters' of layer 'conv2d' is 0; at least 1 is needed");
    EXPECT_EQ(complaint("filters = 1\nslope = 1.5"),
              "deblur.toml:2:1: option 'slope' of layer 'conv2d' is 1.5; at most 1 is needed");
    EXPECT_EQ(complaint("filters = 1\nslope = nan"),
              "deblur.toml:2:1: option 'slope' of layer 'conv2d' is nan; at least 0 is needed");
}

TEST(Schema, checks_arrays_and_their_items) {
    EXPECT_EQ(complaint("filters = 1\nstrides = 2"),
              "deblur.toml:2:1: option 'strides' of layer 'conv2d' is 2 (an integer); an array of 2 integers >= 1 is "
              "needed");
    EXPECT_EQ(complaint("filters = 1\nstrides = [1, 2, 3]"),
              "deblur.toml:2:1: option 'strides' of layer 'conv2d' has 3 items instead of 2");
    EXPECT_EQ(complaint("filters = 1\nstrides = [1]"),
              "deblur.toml:2:1: option 'strides' of layer 'conv2d' has 1 item instead of 2");
    EXPECT_EQ(complaint("filters = 1\nstrides = [1, 0]"),
              "deblur.toml:2:15: option 'strides[1]' of layer 'conv2d' is 0; at least 1 is needed");
    EXPECT_EQ(complaint("filters = 1\nnames = ['a', 3]"),
              "deblur.toml:2:15: option 'names[1]' of layer 'conv2d' is 3 (an integer); a string is needed");
    EXPECT_EQ(complaint("filters = [1]"),
              "deblur.toml:1:1: option 'filters' of layer 'conv2d' is [1] (an array); an integer >= 1 is needed");
}

TEST(Schema, lists_choices_with_the_nearest) {
    EXPECT_EQ(complaint("filters = 1\npadding = 'vald'"),
              "deblur.toml:2:1: option 'padding' of layer 'conv2d' is \"vald\"; one of \"same\", \"valid\", "
              "\"reflect\" is needed; did you mean 'valid'?");
    EXPECT_EQ(complaint("filters = 1\npadding = 'mirrored'"),
              "deblur.toml:2:1: option 'padding' of layer 'conv2d' is \"mirrored\"; one of \"same\", \"valid\", "
              "\"reflect\" is needed");
}

TEST(Schema, of_a_manifest_is_checked_itself) {
    EXPECT_EQ(manifest_complaint("a = 3"),
              "plugin:1:1: option 'a': is an integer; a table such as { type = \"int\" } is needed");
    EXPECT_EQ(manifest_complaint("a = { help = 'x' }"),
              "plugin:1:1: option 'a': 'type' is missing; it is one of: bool, int, float, string");
    EXPECT_EQ(manifest_complaint("a = { type = 'itn' }"),
              "plugin:1:7: option 'a': type is \"itn\"; did you mean 'int'?");
    EXPECT_EQ(manifest_complaint("a = { type = 'int', default = 0, min = 1 }"),
              "plugin:1:21: option 'a' of the manifest (its default) is 0; at least 1 is needed");
    EXPECT_EQ(manifest_complaint("a = { type = 'int', default = 2, required = true }"),
              "plugin:1:34: option 'a': is required and has a default; remove one of the two");
    EXPECT_EQ(manifest_complaint("a = { type = 'string', min = 2 }"),
              "plugin:1:24: option 'a': 'min' bounds only int and float");
    EXPECT_EQ(
        manifest_complaint("a = { type = 'int', since = '1.1' }"),
        "plugin:1:1: option 'a': has 'since' but no default; a default that keeps the earlier behaviour is needed");
    EXPECT_EQ(manifest_complaint("a = { type = 'int', help = \"of two\\nlines\" }"),
              "plugin:1:21: option 'a': help has the control character U+000A; one line of text without control "
              "characters is needed");
}

TEST(Schema, leaves_keys_of_newer_hosts_alone) {
    EXPECT_EQ(parse_schema(parse_toml("a = { type = 'int', colour = 'blue' }", "plugin")).size(), 1U);
}

TEST(Schema, is_described_in_columns) {
    EXPECT_EQ(describe(parse_schema(parse_toml("filters = { type = 'int', min = 1, required = true, help = 'output' }\n"
                                               "size = { type = 'int', array = 2, default = [3, 3], unit = 'pixels' }",
                                               "plugin"))),
              "filters  int >= 1       output; required\n"
              "size     int[2] pixels  default [3, 3]\n");
}

}  // namespace
}  // namespace sluice::registry
