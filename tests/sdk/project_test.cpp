// Separate projects that use find_package(Sluice): which ones are built, and which ones are refused.
#include "sdk_test.hpp"

namespace sluice::test {
namespace {

const std::string kAdd = "sluice_add_plugin(hello SOURCES hello.c)";

TEST_F(Sdk, project_in_cpp_is_built_and_run) {
    expect_success("cp -r " SLUICE_TEST_PROJECTS "/invert/. .\n" SLUICE_TEST_CMAKE
                   " -B build -D CMAKE_BUILD_TYPE=Release && " SLUICE_TEST_CMAKE " --build build");
    EXPECT_EQ(exports("build/com_example_invert.so"), "sluice_plugin_v1\n");
    EXPECT_EQ(read_file(folder() / "build/com_example_invert.so").find(folder().string()), std::string::npos);
    write("inverted.toml", R"(include = "deblur.toml"
[data.train]
source = { use = "dead_leaves", count = 8, size = [32, 32] }
map = [
  { use = "motion_blur", from = "sharp", to = "blurred", length = 5, angle = 0 },
  { use = "invert", strength = 0.5 },
]
)");
    expect_success("cp " SLUICE_TEST_PREFIX "/" SLUICE_TEST_DATA_DIR "/sluice/pipelines/deblur.toml .");
    const std::string output =
        expect_success("sluice train inverted.toml --plugin build --set data.batch=2 --steps 2\n");
    EXPECT_NE(output.find("finished"), std::string::npos) << output;
}

TEST_F(Sdk, project_with_a_second_visible_symbol_exports_one) {
    write_hello({{"hello.c",
                  {"static const sluice_observer", "SLUICE_EXPORT int second = 2;\n\nstatic const sluice_observer"}}});
    expect_success(SLUICE_TEST_CMAKE " -B build && " SLUICE_TEST_CMAKE " --build build");
    EXPECT_EQ(exports("build/hello.so"), "sluice_plugin_v1\n");
}

TEST_F(Sdk, project_that_exports_a_second_symbol_is_refused) {
    write_hello(
        {{"hello.c", {"static const sluice_observer", "SLUICE_EXPORT int second = 2;\n\nstatic const sluice_observer"}},
         {"CMakeLists.txt", {kAdd, kAdd + "\nset_target_properties(hello PROPERTIES LINK_OPTIONS \"\")"}}});
    expect_build_refused({"hello.so: exports more than sluice_plugin_v1", ": second"});
}

TEST_F(Sdk, project_that_exports_nothing_is_refused) {
    write_hello({{"hello.c", {"sluice_plugin_v1 =", "sluice_plugin_v0 ="}}});
    expect_build_refused({"hello.so: does not export sluice_plugin_v1"});
}

TEST_F(Sdk, project_with_an_undefined_symbol_is_refused) {
    write_hello({{"hello.c",
                  {"(void)error;\n    log->write",
                   "extern void nowhere(void);\n    nowhere();\n    (void)error;\n    log->write"}}});
    expect_build_refused({"undefined reference to `nowhere'"});
}

TEST_F(Sdk, project_without_a_manifest_is_refused) {
    write_hello({{"CMakeLists.txt", {kAdd, "sluice_add_plugin(hello SOURCES hello.c MANIFEST hello.toml)"}}});
    expect_build_refused({"plugin hello has no manifest: there is no file", "hello.toml"});
}

TEST_F(Sdk, project_with_a_wrong_manifest_is_refused_at_every_build) {
    write_hello({{"plugin.toml", {"kind = \"observer\"", "kin = \"observer\""}}});
    expect_build_refused({"hello.so: its manifest is refused", "'kind' is missing"});
    expect_build_refused({"'kind' is missing"});
    write_hello();
    expect_success(SLUICE_TEST_CMAKE " --build build && sluice plugins show build/hello.so");
}

TEST_F(Sdk, project_with_a_mistyped_key_is_built_with_a_warning) {
    write_hello({{"plugin.toml", {"provides = \"hello\"", "provides = \"hello\"\ndrws = true"}}});
    const std::string output = expect_success(SLUICE_TEST_CMAKE " -B build && " SLUICE_TEST_CMAKE
                                                                " --build build && sluice check build/hello.so");
    const std::string warning = "unknown key 'drws' of a component; did you mean 'draws'?";
    const std::size_t at_link = output.find(warning);
    ASSERT_NE(at_link, std::string::npos) << output;
    const std::size_t at_check = output.find("    warned  manifest: ");
    ASSERT_NE(at_check, std::string::npos) << output;
    EXPECT_LT(at_link, at_check);
    EXPECT_NE(output.find(warning, at_check), std::string::npos) << output;
}

TEST_F(Sdk, project_keeps_its_manifest_if_sections_are_left_out) {
    write_hello();
    for (const std::string linker : {"bfd", "lld"}) {
        const bool is_there =
            run("echo 'int a;' > a.c && cc -fuse-ld=" + linker + " -shared -fPIC a.c -o a.so").exit == 0;
        if (is_there) {
            expect_success("LDFLAGS='-Wl,--gc-sections -fuse-ld=" + linker + "' " SLUICE_TEST_CMAKE " -B " + linker +
                           " && " SLUICE_TEST_CMAKE " --build " + linker + " && sluice plugins show " + linker +
                           "/hello.so");
        }
    }
}

TEST_F(Sdk, project_with_an_executable_stack_is_refused) {
    write_hello({{"CMakeLists.txt", {kAdd, kAdd + "\ntarget_link_options(hello PRIVATE LINKER:-z,execstack)"}}});
    expect_build_refused({"hello.so: needs an executable stack"});
}

TEST_F(Sdk, project_that_looks_for_libraries_where_it_is_started_is_refused) {
    write_hello({{"CMakeLists.txt", {kAdd, kAdd + "\ntarget_link_options(hello PRIVATE LINKER:-rpath,lib)"}}});
    expect_build_refused({"hello.so: looks for libraries in lib"});
}

TEST_F(Sdk, project_with_sanitizers_is_built) {
    write_hello();
    expect_success(SLUICE_TEST_CMAKE " -B build -D CMAKE_C_FLAGS=-fsanitize=address && " SLUICE_TEST_CMAKE
                                     " --build build");
}

TEST_F(Sdk, project_that_asks_for_another_major_version_is_refused) {
    write_hello({{"CMakeLists.txt", {"Sluice 0.1", "Sluice 7"}}});
    expect_build_refused({"configuration file for package \"Sluice\"", "requested version \"7\""});
}

}  // namespace
}  // namespace sluice::test
