#include "compare/setting_differences.hpp"

#include <algorithm>

#include "unit/folder_test.hpp"

namespace sluice::compare {
namespace {

class SettingDifferences : public FolderTest {
protected:
    static std::vector<SettingDifference> between() {
        const history::RunRecord a("a");
        const history::RunRecord b("b");
        return setting_differences({&a, &b});
    }
    static std::vector<SettingDifference> differences(const std::string& a, const std::string& b) {
        write("a/resolved.toml", a);
        write("b/resolved.toml", b);
        for (const char* const run : {"a", "b"}) {
            write(std::string(run) + "/environment.json", R"({"started": ")" + std::string(run) + R"("})");
        }
        return between();
    }
};

TEST_F(SettingDifferences, name_each_key) {
    const std::vector<SettingDifference> found =
        differences("seed = 7  # a.toml:1:1\n[model]\nlayers = [{ type = \"conv2d\", filters = 8 }]\nsize = [1, 2]\n",
                    "seed = 7  # b.toml:9:9\n[model]\nlayers = [{ type = \"conv2d\", filters = 16 }]\nsize = [1, "
                    "3]\nmore = true\n");
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].key, "model.layers[0].filters");
    EXPECT_EQ(found[0].values, (std::vector<std::optional<std::string>>{"8", "16"}));
    EXPECT_EQ(found[1].key, "model.size");
    EXPECT_EQ(found[1].values, (std::vector<std::optional<std::string>>{"[1, 2]", "[1, 3]"}));
    EXPECT_EQ(found[2].key, "model.more");
    EXPECT_EQ(found[2].values, (std::vector<std::optional<std::string>>{std::nullopt, "true"}));
}

TEST_F(SettingDifferences, are_none_for_equal_pipelines) {
    EXPECT_TRUE(differences("seed = 7\n", "seed = 7\n").empty());
}

TEST_F(SettingDifferences, show_a_damaged_file) {
    const std::vector<SettingDifference> found = differences("seed = \n", "seed = 7\n");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].key, "resolved.toml");
    EXPECT_NE(found[0].values[0]->find("a/resolved.toml:1"), std::string::npos) << *found[0].values[0];
}

TEST_F(SettingDifferences, include_the_machine) {
    write("a/environment.json", R"({"host_name": "x"})");
    write("b/environment.json", R"({"host_name": "y"})");
    write("a/resolved.toml", "");
    write("b/resolved.toml", "");
    const std::vector<SettingDifference> found = between();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].key, "environment.host_name");
    EXPECT_EQ(found[0].values[1], "\"y\"");
}

}  // namespace
}  // namespace sluice::compare
