// The registry as a whole: what it sees, which component it chooses, and what it says when there is none.
#include <gtest/gtest.h>

#include "base/toml/toml.hpp"
#include "registry/loading/registry.hpp"
#include "unit/registry/registry_files.hpp"

namespace sluice::registry {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

const Origin kHere{Origin::Kind::file, "deblur.toml", 14, 3};

fs::path folder_of(const std::string& name) { return test::broken_plugin(name).parent_path(); }

std::string all_replaced(std::string bytes, const std::string& from, const std::string& to) {
    for (std::size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at + to.size())) {
        bytes.replace(at, from.size(), to);
    }
    return bytes;
}

TEST(Registry, finds_and_loads_a_component) {
    const Registry registry(folder_of("sound"), {});
    const Component layer = registry.find(Kind::layer, "sound", kHere);
    EXPECT_EQ(layer.label, "sound (test.sound.layer 1.0)");
    EXPECT_EQ(layer.manifest->about, "Gives its input");
    EXPECT_NE(layer.table, nullptr);
    EXPECT_EQ(registry.list(Kind::layer).size(), 1U);
    EXPECT_TRUE(registry.list(Kind::device).empty());
}

TEST(Registry, completes_options_and_names_the_layer) {
    const Registry registry(folder_of("sound"), {});
    const Component layer = registry.find(Kind::layer, "sound", kHere);
    config::ComponentSpec spec{"sound", kHere, parse_toml("filters = 8", "deblur.toml")};
    EXPECT_EQ(registry.options(layer, spec).entries().size(), 4U);
    spec.options = {};
    EXPECT_EQ(test::error_of([&] { (void)registry.options(layer, spec); }, Exit::config),
              "deblur.toml:14:3: layer 'sound' needs option 'filters': an integer >= 1, output channels");
}

TEST(Registry, names_the_nearest_and_what_was_left_out) {
    const test::ScratchFolder scratch;
    const auto empty = scratch.write("bad.so", "");
    const Paths more{empty};
    const Registry registry(folder_of("sound"), more);
    EXPECT_EQ(test::error_of([&] { (void)registry.find(Kind::layer, "suond", kHere); }, Exit::config),
              "deblur.toml:14:3: there is no layer 'suond'; did you mean 'sound'?\n  left out: " + empty.string() +
                  ": is empty; a shared library is needed");
    ASSERT_EQ(registry.seen().size(), 2U);
    EXPECT_EQ(registry.seen()[1].refusal, "is empty; a shared library is needed");
}

TEST(Registry, names_the_folders_it_searched) {
    const Registry registry("/nowhere", {});
    EXPECT_EQ(test::error_of([&] { (void)registry.find(Kind::layer, "relu", kHere); }, Exit::config),
              "deblur.toml:14:3: there is no layer 'relu'; no plugins were found in /nowhere");
}

TEST(Registry, passes_over_a_link_to_itself) {
    const test::ScratchFolder scratch;
    fs::create_symlink("loop.so", scratch.path() / "loop.so");
    const Registry registry(scratch.path(), {});
    ASSERT_EQ(registry.seen().size(), 1U);
    EXPECT_EQ(registry.seen()[0].refusal, "cannot be read: Too many levels of symbolic links");
}

TEST(Registry, takes_a_file_once) {
    const Paths more{folder_of("sound"), test::broken_plugin("sound")};
    EXPECT_EQ(Registry(folder_of("sound"), more).seen().size(), 1U);
}

TEST(Registry, refuses_the_later_of_two_with_one_id) {
    const test::ScratchFolder scratch;
    const auto copy = scratch.write("copy.so", read_file(test::broken_plugin("sound")));
    const Paths more{copy};
    const Registry registry(folder_of("sound"), more);
    ASSERT_EQ(registry.seen().size(), 2U);
    EXPECT_TRUE(registry.seen()[0].manifest);
    EXPECT_EQ(registry.seen()[1].refusal, "its component id 'test.sound.layer' is already taken by " +
                                              test::broken_plugin("sound").string() + "; remove one of the two files");
}

TEST(Registry, prefers_the_higher_version) {
    const test::ScratchFolder scratch;
    std::string twin =
        all_replaced(read_file(test::broken_plugin("twin")), "provides = \"twin\"", "provides = \"same\"");
    std::string newer = all_replaced(twin, "test.twin", "test.yoke");
    newer = all_replaced(newer, "version = \"1.0\"", "version = \"1.9\"");
    std::string newest = all_replaced(twin, "test.twin", "test.zinc");
    newest = all_replaced(newest, "version = \"1.0\"\nabout = \"A p", "version = \"1.10\"\nabout = \"A ");
    (void)scratch.write("own/a.so", newest);
    (void)scratch.write("own/b.so", newer);
    (void)scratch.write("own/c.so", twin);
    const Registry registry(scratch.path() / "own", {});
    ASSERT_EQ(registry.list(Kind::layer).size(), 3U);
    EXPECT_EQ(registry.find(Kind::layer, "same", kHere).label, "same (test.zinc.layer 1.10)");
}

TEST(Registry, loads_a_stranger_in_a_child_first_and_remembers_the_failure) {
    const Paths more{folder_of("aborts")};
    const Registry registry(folder_of("sound"), more);
    const std::string reason = test::broken_plugin("aborts").string() + ": crashes when it is loaded: Aborted";
    EXPECT_EQ(test::error_of([&] { (void)registry.find(Kind::layer, "aborts", kHere); }, Exit::plugin), reason);
    EXPECT_EQ(test::error_of([&] { (void)registry.find(Kind::layer, "aborts", kHere); }, Exit::plugin), reason);
}

// The test uses the plugins of this build, if they are built already.
TEST(Registry, loads_every_component_of_the_built_plugins) {
    if (!fs::exists(SLUICE_TEST_PLUGIN_DIR) || fs::is_empty(SLUICE_TEST_PLUGIN_DIR)) {
        GTEST_SKIP() << "no plugins are built in " << SLUICE_TEST_PLUGIN_DIR;
    }
    const Registry registry(SLUICE_TEST_PLUGIN_DIR, {});
    for (const PluginFile& seen : registry.seen()) {
        ASSERT_TRUE(seen.manifest) << seen.file << ": " << seen.refusal;
        for (const ComponentManifest& component : seen.manifest->components) {
            EXPECT_NE(registry.find(component.kind, component.provides, kHere, component.device).table, nullptr);
        }
    }
}

}  // namespace
}  // namespace sluice::registry
