// Loading: faults of a library that show once its code runs, and faults that the probe in a child process survives.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/machine.hpp"
#include "base/sha256.hpp"
#include "registry/loading/load.hpp"
#include "registry/loading/plugin_code.hpp"
#include "registry/loading/probe.hpp"
#include "registry/loading/probe_cache.hpp"
#include "registry/loading/registry.hpp"
#include "unit/registry/registry_files.hpp"
#include "unit/with_little_memory.hpp"

namespace sluice::registry {
namespace {

using std::chrono::milliseconds;

std::string probed(const std::string& name, milliseconds limit = kProbeLimit) {
    const auto file = test::broken_plugin(name);
    return probe(file, read_manifest(file), limit);
}

std::string load_failure(const std::string& name) {
    const auto file = test::broken_plugin(name);
    const PluginManifest manifest = read_manifest(file);
    return test::without_file(test::error_of([&] { const LoadedPlugin loaded(file, manifest); }, Exit::plugin), file);
}

TEST(Probe, passes_a_sound_plugin) { EXPECT_EQ(probed("sound"), ""); }

TEST(Probe, survives_a_crash) {
    EXPECT_EQ(probed("aborts"), "crashes when it is loaded: Aborted");
    EXPECT_TRUE(probed("segfaults").starts_with("crashes when it is loaded: Segmentation fault"));
}

TEST(Probe, survives_an_exit) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "if a process exits while it loads a library, the sanitizer sets the exit code";
#endif
    EXPECT_EQ(probed("exits"), "terminates the process when it is loaded, with exit status 42");
    EXPECT_EQ(probed("exits_well"), "terminates the process when it is loaded, with exit status 0");
}

TEST(Probe, ends_one_that_hangs) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(probed("hangs", milliseconds(200)),
              "did not finish loading within 0.2 s; it was loaded in a child process, which was killed");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(Probe, kills_one_whose_open_hangs_if_that_is_asked_for) {
    const auto file = test::broken_plugin("open_hangs");
    EXPECT_EQ(probed("open_hangs"), "");
    EXPECT_EQ(probe_open(file, read_manifest(file), milliseconds(200)),
              "did not finish loading within 0.2 s; it was loaded in a child process, which was killed");
    EXPECT_EQ(probe_open(test::broken_plugin("open_fails"), read_manifest(test::broken_plugin("open_fails"))), "");
}

TEST(Probe, comes_before_whatever_the_folder_of_the_host_holds_from_others) {
    const Registry registry(test::broken_plugin("exits").parent_path(), {});
    EXPECT_EQ(test::without_file(test::error_of([&] { (void)registry.find(Kind::layer, "exits", {}); }, Exit::plugin),
                                 test::broken_plugin("exits")),
              "terminates the process when it is loaded, with exit status 42");
}

TEST(Probe, gives_the_reason_of_the_child) {
    EXPECT_EQ(probed("no_interface"), "component 'test.no_interface.layer' has no interface sluice.layer/1");
}

class Cache : public testing::Test {
protected:
    Cache() { ::setenv("SLUICE_CACHE", scratch_.path().c_str(), 1); }
    ~Cache() override { before_ ? ::setenv("SLUICE_CACHE", before_->c_str(), 1) : ::unsetenv("SLUICE_CACHE"); }
    // Returns the copy of a plugin in this folder, next to the library that it needs.
    [[nodiscard]] std::filesystem::path copy_of_relies() const {
        for (const char* name : {"librelied.so", "relies.so"}) {
            std::filesystem::copy(test::broken_plugin("relies").parent_path() / name, scratch_.path());
        }
        return scratch_.path() / "relies.so";
    }
    [[nodiscard]] std::filesystem::path entry() const {
        return *std::filesystem::directory_iterator(scratch_.path() / "probes");
    }

    const test::ScratchFolder scratch_;
    const std::optional<std::string> before_ =
        std::getenv("SLUICE_CACHE") == nullptr ? std::nullopt : std::optional<std::string>(std::getenv("SLUICE_CACHE"));
};

TEST_F(Cache, remembers_what_passed_until_it_changes) {
    const auto file = scratch_.write("a.so", "first");
    EXPECT_FALSE(ProbeCache().has_passed(file));
    ProbeCache().remember(file);
    EXPECT_TRUE(ProbeCache().has_passed(file));
    (void)scratch_.write("a.so", "changed");
    EXPECT_FALSE(ProbeCache().has_passed(file));
    std::ofstream(entry()) << "no json";
    ProbeCache().remember(file);
    EXPECT_TRUE(ProbeCache().has_passed(file));
}

TEST_F(Cache, forgets_what_another_file_of_the_same_size_and_time_has_replaced) {
    const auto file = scratch_.write("a.so", "first");
    ProbeCache().remember(file);
    const auto time = std::filesystem::last_write_time(file);
    const auto other = scratch_.write("b.so", "other");
    std::filesystem::last_write_time(other, time);
    std::filesystem::rename(other, file);
    EXPECT_FALSE(ProbeCache().has_passed(file));
}

TEST_F(Cache, forgets_a_plugin_whose_library_has_changed) {
    const auto file = copy_of_relies();
    (void)load_table(file, read_manifest(file));
    ProbeCache().remember(file);
    EXPECT_TRUE(ProbeCache().has_passed(file));
    std::filesystem::last_write_time(scratch_.path() / "librelied.so", {});
    EXPECT_FALSE(ProbeCache().has_passed(file));
    std::filesystem::remove(scratch_.path() / "librelied.so");
    EXPECT_FALSE(ProbeCache().has_passed(file));
}

TEST_F(Cache, forgets_what_passed_on_another_machine_or_with_other_folders_of_libraries) {
    const auto file = scratch_.write("a.so", "first");
    ProbeCache().remember(file);
    ::setenv("LD_PRELOAD", "other", 1);
    EXPECT_FALSE(ProbeCache().has_passed(file));
    ::unsetenv("LD_PRELOAD");
    EXPECT_TRUE(ProbeCache().has_passed(file));
    auto then = nlohmann::json::parse(read_file(entry()));
    then["surroundings"] = "another processor";
    std::ofstream(entry()) << then;
    EXPECT_FALSE(ProbeCache().has_passed(file));
}

TEST_F(Cache, does_not_know_a_plugin_while_it_is_loaded) {
    const auto file = scratch_.write("a.so", "first");
    ProbeCache().remember(file);
    EXPECT_TRUE(ProbeCache().take(file));
    EXPECT_FALSE(ProbeCache().has_passed(file));
    EXPECT_FALSE(ProbeCache().take(file));
    ProbeCache().remember(file);
    EXPECT_TRUE(ProbeCache().take(file));
}

TEST(Load, compares_table_and_manifest) {
    EXPECT_EQ(load_failure("future_table"), "its table was built for ABI 2.0; this host supports 1.x");
    EXPECT_EQ(load_failure("no_components"), "its table claims 0 components");
    EXPECT_EQ(load_failure("no_interface"), "component 'test.no_interface.layer' has no interface sluice.layer/1");
    EXPECT_EQ(load_failure("null_slot"), "component 'test.null_slot.layer': 'infer' of sluice.layer/1 is NULL");
    EXPECT_EQ(load_failure("undeclared"),
              "component 'test.somebody_else.layer' is in its table but not in its manifest");
}

TEST(Load, finds_what_the_table_lacks) {
    const auto file = test::broken_plugin("sound");
    PluginManifest manifest = read_manifest(file);
    manifest.components.push_back(manifest.components.front());
    manifest.components.back().id = "test.sound.more";
    EXPECT_EQ(test::without_file(test::error_of([&] { (void)load_table(file, manifest); }, Exit::plugin), file),
              "component 'test.sound.more' is in its manifest but not in its table");
}

TEST(Load, names_a_failed_open_and_logs_under_the_plugins_id) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(load_failure("open_fails"), "its open() failed: no licence was found");
    EXPECT_NE(testing::internal::GetCapturedStderr().find("[test.open_fails] looking for a licence"),
              std::string::npos);
}

// Such a plugin may be sound. So the host uses nothing else in its place and can load it later.
TEST(Load, without_memory_says_nothing_of_the_plugin) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers need much address space themselves";
#endif
    const auto file = test::broken_plugin("sound");
    const PluginManifest manifest = read_manifest(file);
    const Registry registry(file.parent_path(), {});
    std::vector<std::string> found;
    const auto try_all = [&] {
        const test::WithLittleMemory memory(0);
        for (const std::function<void()>& load : std::initializer_list<std::function<void()>>{
                 [&] { (void)load_table(file, manifest); }, [&] { (void)probe(file, manifest); },
                 [&] { (void)registry.find(Kind::layer, "sound", {}); }}) {
            try {
                load();
            } catch (const OutOfResources& lack) {
                found.emplace_back(lack.what());
            }
        }
    };
    const std::string warmed_up = sha256(std::array<std::string_view, 1>{"of the cache of probes"});
    std::free(std::malloc(100'000));  // the heap keeps it for messages
    try_all();
    ASSERT_EQ(found.size(), 3U);
    for (const std::string& message : found) {
        EXPECT_TRUE(message.starts_with(file.string() + ": cannot be loaded for lack of memory: ")) << message;
        EXPECT_NE(message.find("the process has limits of ulimit -v"), std::string::npos) << message;
    }
    EXPECT_NO_THROW((void)registry.find(Kind::layer, "sound", {}));
}

TEST(Load, opens_a_sound_plugin) {
    const auto file = test::broken_plugin("sound");
    const PluginManifest manifest = read_manifest(file);
    const LoadedPlugin plugin(file, manifest);
    const sluice_component& component = plugin.component(manifest.components.front());
    EXPECT_EQ(std::string(component.id.ptr, component.id.len), manifest.components.front().id);
    EXPECT_EQ(plugin.host()->get(plugin.host(), "sluice.log/2"), nullptr);
    EXPECT_NE(plugin.host()->get(plugin.host(), SLUICE_LOG_V1), nullptr);
}

TEST(Load, knows_whose_code_lies_where) {
    const auto file = test::broken_plugin("sound");
    const auto address = [](auto* there) { return reinterpret_cast<std::uintptr_t>(there); };
    std::uintptr_t code = 0;
    {
        const PluginManifest manifest = read_manifest(file);
        const LoadedPlugin plugin(file, manifest);
        const sluice_component& component = plugin.component(manifest.components.front());
        code = address(component.get);
        EXPECT_EQ(owner_of_code(address(&component)), "");  // this is data, not code
    }
    EXPECT_EQ(owner_of_code(code), "test.sound 1.0");
    EXPECT_EQ(owner_of_code(address(&load_failure)), "");
    EXPECT_EQ(owner_of_code(address(&std::getenv)), "");
}

TEST(Load, tells_a_plugin_what_it_may_use_of_the_machine) {
    const auto file = test::broken_plugin("sound");
    const LoadedPlugin plugin(file, read_manifest(file));
    const auto* machine = static_cast<const sluice_machine*>(plugin.host()->get(plugin.host(), SLUICE_MACHINE_V1));
    ASSERT_NE(machine, nullptr);
    EXPECT_EQ(machine->usable_cores(plugin.host()), static_cast<std::uint32_t>(usable_cores()));
    EXPECT_GT(machine->available_memory(plugin.host()), 0U);
}

}  // namespace
}  // namespace sluice::registry
