#include "report/assets.hpp"

#include <gtest/gtest.h>

namespace sluice::report {
namespace {

TEST(Assets, are_whole_files) {
    EXPECT_TRUE(assets::style().starts_with(":root {")) << assets::style().substr(0, 80);
    EXPECT_TRUE(assets::style().ends_with("}\n"));
    EXPECT_TRUE(assets::script().ends_with("})();\n"));
}

TEST(Assets, hold_the_notice_of_the_library_of_charts) {
    EXPECT_NE(assets::chart_library().find("The above copyright notice and this permission notice"), std::string::npos);
    EXPECT_GT(assets::chart_library().size(), 100'000U);
}

// A script element ends at this text, also within a string of the script.
TEST(Assets, do_not_end_their_elements) {
    const std::string library = assets::chart_library();
    for (const std::string_view asset : {assets::script(), std::string_view(library)}) {
        EXPECT_EQ(asset.find("</script"), std::string::npos);
    }
    EXPECT_EQ(assets::style().find("</style"), std::string::npos);
}

}  // namespace
}  // namespace sluice::report
