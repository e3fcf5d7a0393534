// Plugin files that cannot be used: no code of theirs runs; the host names file and reason, and exits with code 6.
#include <elf.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <cstring>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

std::string broken_plugin(const std::string& name) {
    return (std::filesystem::path(SLUICE_TEST_BROKEN_DIR) / name / (name + ".so")).string();
}

class BadPlugin : public PipelineTest {
protected:
    BadPlugin() { write_tiny({{R"({ type = "relu" })", R"({ type = "sound", filters = 6 })"}}); }
    // The refusal is the same if --plugin names the file and if SLUICE_PLUGIN_PATH does.
    void expect_refused_file(const std::string& file, const std::string& reason) {
        expect_refused(host({"--pipeline", "tiny.toml", "--plugin", file}), 6, {file, reason});
        process_options().environment["SLUICE_PLUGIN_PATH"] = file;
        expect_refused(host({"--pipeline", "tiny.toml"}), 6, {file, reason});
        expect_output({"plugins"}, {file, reason});
    }
    [[nodiscard]] std::string sound_with(const std::string& from, const std::string& to) const {
        std::string bytes = read_bytes(broken_plugin("sound"));
        bytes.replace(bytes.find(from), from.size(), to);
        return bytes;
    }
};

TEST_F(BadPlugin, truncated) {
    const std::string bytes = read_bytes(broken_plugin("sound"));
    expect_refused_file(write("cut.so", bytes.substr(0, bytes.size() / 2)), "cut short");
}

TEST_F(BadPlugin, is_shown_by_its_file_alone) {
    expect_output({"plugins", "show", broken_plugin("sound")},
                  {"layer 'sound' (test.sound.layer, test.sound 1.0)", "filters"});
    expect_refused(host({"plugins", "show", write("empty.so", "")}), 6, {"empty.so", "is empty"});
    expect_refused(host({"plugins", "show", "./nowhere"}), 6, {"./nowhere", "No such file"});
}

TEST_F(BadPlugin, empty) { expect_refused_file(write("empty.so", ""), "is empty"); }

TEST_F(BadPlugin, that_is_a_page_or_a_pointer_of_a_download) {
    expect_refused_file(write("page.so", "<head><title>404</title></head>"),
                        "is not a shared library but an HTML page (a download has to fetch the file itself)");
    expect_refused_file(write("pointer.so", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"),
                        "is not a shared library but a Git LFS pointer (`git lfs pull` fetches the file itself)");
}

TEST_F(BadPlugin, of_another_architecture) {
    std::string bytes = read_bytes(broken_plugin("sound"));
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    header.e_machine = header.e_machine == EM_RISCV ? EM_X86_64 : EM_RISCV;
    std::memcpy(bytes.data(), &header, sizeof(header));
    expect_refused_file(write("other.so", bytes), "this machine is");
}

TEST_F(BadPlugin, of_a_future_major_version) {
    expect_refused_file(write("future.so", sound_with("abi = \"1.0\"", "abi = \"9.0\"")), "built for ABI 9.0");
}

TEST_F(BadPlugin, without_the_symbol) {
    write_tiny({{R"({ type = "relu" })", R"({ type = "no_symbol", filters = 6 })"}});
    expect_refused(host({"--pipeline", "tiny.toml", "--plugin", broken_plugin("no_symbol")}), 6,
                   {"no_symbol.so", "symbol"});
}

TEST_F(BadPlugin, that_crashes_when_it_is_loaded) {
    write_tiny({{R"({ type = "relu" })", R"({ type = "segfaults", filters = 6 })"}});
    expect_refused(host({"--pipeline", "tiny.toml", "--plugin", broken_plugin("segfaults")}), 6, {"segfaults.so"});
}

// This happens if a library that the plugin needs is replaced. The host trusts the probe of an earlier run until the
// plugin crashes, and then no more.
TEST_F(BadPlugin, that_crashes_when_it_is_loaded_but_did_not_before) {
    write_tiny({{R"({ type = "relu" })", R"({ type = "segfaults_later", filters = 6 })"}});
    const std::string file = broken_plugin("segfaults_later");
    const std::vector<std::string> plan{"plan", "tiny.toml", "--plugin", file};
    const std::string loaded = "no kernel for layer 'segfaults_later'";
    expect_refused(host(plan), 2, {loaded});
    expect_refused(host(plan), 2, {loaded});
    process_options().environment["SLUICE_TEST_SEGFAULT"] = "1";
    const Finished first = host(plan);
    EXPECT_NE(first.exit, 0);
    expect_contains(first.err, {"plugin test.segfaults_later 1.0 misbehaves: dlopen() crashes"});
    expect_refused(host(plan), 6, {file, "crashes when it is loaded"});
    // A pipeline that does not use the plugin still runs.
    write_tiny();
    expect_success(host(plan));
}

TEST_F(BadPlugin, whose_open_hangs_is_reported_by_doctor) {
    const std::string file = broken_plugin("open_hangs");
    expect_output({"doctor", "--plugin", file}, {file, "did not finish loading within 10 s"});
}

// The host names the plugin while it still waits for it.
TEST_F(BadPlugin, whose_open_hangs_is_named) {
    write_tiny({{R"({ type = "relu" })", R"({ type = "open_hangs", filters = 6 })"}});
    const std::string file = broken_plugin("open_hangs");
    process_options().deadline = std::chrono::seconds(30);
    HostProcess process({"plan", "tiny.toml", "--plugin", file}, process_options());
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(process.wait_for_error_text(file +
                                            ": open() of plugin test.open_hangs 1.0 has not returned for 10 s; the "
                                            "process exits if it takes 120 s\n"));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
    process.send(SIGKILL);
    EXPECT_EQ(process.finish().signal, SIGKILL);
}

TEST_F(BadPlugin, of_a_mistyped_kind_alone_fails_its_check) {
    const std::string file = write("typo.so", sound_with("kind = \"layer\"", "kind = \"layre\""));
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--json"}}) {
        expect_refused(host(joined<std::string>({"check", file}, more)), 6,
                       {"typo.so: manifest:", "nothing of it can be checked", "there is no kind \"layre\"", "'layer'"});
    }
}

TEST_F(BadPlugin, is_checked_with_a_seed_that_is_none) {
    expect_refused(host({"check", broken_plugin("sound"), "--seed", "-1"}), 2, {"--seed is -1; 0 or more"});
}

TEST_F(BadPlugin, that_is_no_file_is_reported_alike_by_each_command) {
    std::filesystem::create_symlink("loop.so", folder() / "loop.so");
    std::filesystem::create_symlink("nowhere", folder() / "dangling.so");
    std::filesystem::create_symlink("/dev/zero", folder() / "zero.so");
    std::filesystem::create_directory(folder() / "folder.so");
    ASSERT_EQ(::mkfifo((folder() / "fifo.so").c_str(), 0600), 0);
    for (const auto& [file, what] :
         std::vector<std::pair<std::string, std::string>>{{"./loop.so", "Too many levels of symbolic links"},
                                                          {"./dangling.so", "No such file"},
                                                          {"./zero.so", "is not a regular file"},
                                                          {"./folder.so", "is not a regular file"},
                                                          {"./fifo.so", "is not a regular file"}}) {
        expect_refused(host({"check", file}), 6, {file + ": ", what});
        expect_refused(host({"plugins", "show", file}), 6, {file + ": ", what});
    }
}

TEST_F(BadPlugin, path_that_does_not_exist) {
    expect_refused(host({"--pipeline", "tiny.toml", "--plugin", "nothing.so"}), 6, {"--plugin nothing.so", "no such"});
}

// A bad file in a folder of plugins causes one warning; the sound files of the folder are used.
TEST_F(BadPlugin, one_in_a_folder_does_not_stop_a_run_that_can_do_without) {
    write_tiny();
    write("more/cut.so", read_bytes(broken_plugin("sound")).substr(0, 100));
    const Finished finished = train("run", {"--plugin", "more"});
    EXPECT_EQ(count_of(finished.err, "W "), 1U) << finished.err;
    EXPECT_NE(finished.err.find("cut.so"), std::string::npos) << finished.err;
}

TEST_F(BadPlugin, in_a_folder_is_named_if_its_component_is_missing) {
    write("more/cut.so", read_bytes(broken_plugin("sound")).substr(0, 100));
    const Finished finished = host({"--pipeline", "tiny.toml", "--plugin", "more"});
    expect_refused(finished, 2, {"tiny.toml:25:5", "no layer 'sound'"});
    EXPECT_NE(finished.err.find("cut.so"), std::string::npos) << finished.err;
}

}  // namespace
}  // namespace sluice::test
