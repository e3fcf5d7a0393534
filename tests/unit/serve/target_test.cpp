#include "serve/target.hpp"

#include <gtest/gtest.h>

namespace sluice::serve {
namespace {

TEST(Target, has_a_path_and_decoded_parameters) {
    const auto target = parse_target("/compare?run=a%2Fb+c&run=d&empty&x=1=2");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->path, "/compare");
    EXPECT_EQ(target->parameters_named("run"), (std::vector<std::string>{"a/b c", "d"}));
    EXPECT_EQ(target->parameter("run"), "a/b c");
    EXPECT_EQ(target->parameter("empty"), "");
    EXPECT_EQ(target->parameter("x"), "1=2");
    EXPECT_EQ(target->parameter("missing"), "");
}

TEST(Target, that_is_damaged_is_refused) {
    for (const char* const text : {"", "run", "http://evil/", "/?a=%", "/?a=%1", "/?a=%zz", "/?%g0=1", "/?a=%+1"}) {
        EXPECT_FALSE(parse_target(text)) << text;
    }
}

TEST(Target, encodes_what_parse_target_decodes) {
    const std::string name = "a/b &=?+%#\"<>\n\xc3\xa9";
    EXPECT_EQ(parse_target("/?x=" + encoded(name))->parameter("x"), name);
}

}  // namespace
}  // namespace sluice::serve
