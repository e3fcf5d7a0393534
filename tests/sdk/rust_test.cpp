// Plugins in Rust: their module `sluice` matches the ABI, and mistakes are reported.
#include "sdk_test.hpp"

namespace sluice::test {
namespace {

const std::string kRustBuild = SLUICE_TEST_CARGO " build --release --manifest-path mild_wind/Cargo.toml";

class Rust : public Sdk {
protected:
    void SetUp() override {
        if (std::string_view(SLUICE_TEST_CARGO).empty() || std::string_view(SLUICE_TEST_RUSTC).empty()) {
            GTEST_SKIP() << "cargo or rustc is not installed";
        }
    }
    // Writes a source in which `to` replaces `from`, which must occur once.
    void write_source(const std::string& from, const std::string& to) const {
        expect_success("sluice new source mild_wind --lang rust");
        std::string text = read_file(folder() / "mild_wind/src/lib.rs");
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        ASSERT_EQ(text.find(from, at + 1), std::string::npos) << from;
        write("mild_wind/src/lib.rs", text.replace(at, from.size(), to));
    }
};

// The compiler and the compiled program check that the layout is the one that the headers pin.
TEST_F(Rust, module_has_the_layout_of_the_headers) {
    if (std::string_view(SLUICE_TEST_PYTHON).empty()) {
        GTEST_SKIP() << "python3 is not installed";
    }
    const std::string output = expect_success(
        SLUICE_TEST_PYTHON
        " -B " SLUICE_TEST_PROJECTS "/rust_layout.py " SLUICE_TEST_SOURCE_DIR
        "/tests/abi/pins_1_0.h " SLUICE_TEST_SOURCE_DIR "/tests/abi/pins_1_1.h " SLUICE_TEST_SOURCE_DIR
        "/sdk/template/any/rust/src/sluice > layout.rs\n" SLUICE_TEST_RUSTC " --edition 2021 layout.rs\n./layout\n");
    EXPECT_NE(output.find(" pins\n"), std::string::npos) << output;
}

TEST_F(Rust, panics_are_errors_and_print_nothing) {
    write_source("let is_level = index % 2 == 1;", "let is_level = [false, true][index as usize];");
    expect_success(kRustBuild);
    const Ran ran =
        run("sluice train mild_wind/pipeline.toml --plugin mild_wind/target/release/libmild_wind.so --steps 2 --set "
            "data.skip_bad=0");
    EXPECT_NE(ran.exit, 0);
    EXPECT_NE(ran.text.find("panicked: index out of bounds"), std::string::npos) << ran.text;
    EXPECT_EQ(ran.text.find("thread '"), std::string::npos) << ran.text;
}

TEST_F(Rust, an_option_that_is_not_in_the_manifest_is_an_error) {
    write_source("count: options.get(\"count\")?.integer()? as u64,",
                 "count: options.get(\"size_of\")?.integer()? as u64,");
    expect_success(kRustBuild);
    const Ran ran = run("sluice train mild_wind/pipeline.toml --plugin mild_wind/target/release/libmild_wind.so");
    EXPECT_EQ(ran.exit, 2);
    EXPECT_NE(ran.text.find("source 'mild_wind': option 'size_of' is needed and was not given"), std::string::npos)
        << ran.text;
}

TEST_F(Rust, a_symbol_that_nobody_defines_is_not_linked) {
    write_source("use sluice::*;", "use sluice::*;\n\nextern \"C\" {\n    fn nowhere() -> i64;\n}");
    std::string text = read_file(folder() / "mild_wind/src/lib.rs");
    const std::string from = "index % 2 == 1";
    write("mild_wind/src/lib.rs", text.replace(text.find(from), from.size(), "unsafe { nowhere() } == 1"));
    const Ran ran = run(kRustBuild);
    EXPECT_NE(ran.exit, 0);
    EXPECT_NE(ran.text.find("nowhere"), std::string::npos) << ran.text;
}

TEST_F(Rust, a_second_export_fails_the_test_of_the_project) {
    write_source("use sluice::*;", "use sluice::*;\n\n#[no_mangle]\npub extern \"C\" fn second() {}");
    const Ran ran = run(SLUICE_TEST_CARGO " test --manifest-path mild_wind/Cargo.toml");
    EXPECT_NE(ran.exit, 0);
    EXPECT_NE(ran.text.find("libmild_wind.so: exports more than sluice_plugin_v1"), std::string::npos) << ran.text;
    EXPECT_NE(ran.text.find(": second"), std::string::npos) << ran.text;
}

}  // namespace
}  // namespace sluice::test
