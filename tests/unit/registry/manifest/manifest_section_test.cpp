// Refusals before any code of a file runs: real plugins, cut and patched. Each has one reason, and nothing crashes.
#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <random>

#include "registry/manifest/manifest.hpp"
#include "registry/manifest/manifest_section.hpp"
#include "unit/registry/registry_files.hpp"

namespace sluice::registry {
namespace {

class ElfRefusal : public testing::Test {
protected:
    // Returns why a file of these bytes is refused, without its name.
    std::string reason(std::string_view bytes) {
        const auto file = scratch_.write("changed.so", bytes);
        return test::without_file(test::error_of([&] { (void)read_manifest(file); }, Exit::plugin), file);
    }
    template <class Change>
    std::string reason_with_header(Change change) {
        std::string bytes = sound_;
        Elf64_Ehdr header;
        std::memcpy(&header, bytes.data(), sizeof(header));
        change(header);
        std::memcpy(bytes.data(), &header, sizeof(header));
        return reason(bytes);
    }
    std::string replaced(const std::string& from, const std::string& to) {
        std::string bytes = sound_;
        bytes.replace(bytes.find(from), from.size(), to);
        return bytes;
    }

    test::ScratchFolder scratch_;
    std::string sound_ = read_file(test::broken_plugin("sound"));
};

TEST_F(ElfRefusal, reads_a_sound_manifest) {
    const PluginManifest manifest = read_manifest(test::broken_plugin("sound"));
    EXPECT_EQ(manifest.id, "test.sound");
    EXPECT_EQ(manifest.version, "1.0");
    EXPECT_EQ(manifest.abi, "1.0");
    ASSERT_EQ(manifest.components.size(), 1U);
    EXPECT_EQ(manifest.components[0].kind, Kind::layer);
    EXPECT_EQ(manifest.components[0].provides, "sound");
    EXPECT_EQ(manifest.components[0].options.size(), 4U);
    EXPECT_EQ(manifest.unknown_components, std::vector<std::string>{"test.sound.teleporter"});
}

TEST_F(ElfRefusal, of_texts_that_a_terminal_would_obey) {
    const std::string about = "about = \"";
    const std::size_t at = sound_.find(about);
    ASSERT_NE(at, std::string::npos);
    std::string bytes = sound_;
    bytes.replace(at + about.size(), 2, "\\b");
    EXPECT_NE(reason(bytes).find(
                  "about has the control character U+0008; one line of text without control characters is needed"),
              std::string::npos)
        << reason(bytes);
}

TEST_F(ElfRefusal, of_what_is_no_library) {
    EXPECT_EQ(reason(""), "is empty; a shared library is needed");
    const std::string other = "is not a shared library but ";
    EXPECT_EQ(reason("#!/bin/sh\n"), other + "text that begins with '#!/bin/sh'");
    EXPECT_EQ(reason("x"), other + "text that begins with 'x'");
    EXPECT_EQ(reason("<html>" + std::string(1000, ' ')),
              other + "an HTML page (a download has to fetch the file itself)");
    EXPECT_EQ(reason("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"),
              other + "a Git LFS pointer (`git lfs pull` fetches the file itself)");
    EXPECT_EQ(reason(std::string(5000, '\1')), other + "5000 bytes that begin with 01 01 01 01 (hex)");
    EXPECT_EQ(reason(std::string("\x7f"
                                 "ELF\2\1",
                                 6)),
              "is cut short: the file ends at byte 6, before the end of its header");
    const auto folder = scratch_.path();
    EXPECT_EQ(test::without_file(test::error_of([&] { (void)read_manifest(folder); }, Exit::plugin), folder),
              "is not a regular file");
    const auto missing = folder / "missing.so";
    EXPECT_EQ(test::without_file(test::error_of([&] { (void)read_manifest(missing); }, Exit::plugin), missing),
              "cannot be read: No such file or directory");
    const auto fifo = folder / "fifo.so";
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    EXPECT_EQ(test::without_file(test::error_of([&] { (void)read_manifest(fifo); }, Exit::plugin), fifo),
              "is not a regular file");
}

TEST_F(ElfRefusal, of_a_chain_to_check_that_is_not_one) {
    const auto reason_of = [&](const std::string& then) {
        const std::string mode =
            R"(mode = { type = "string", default = "exact", choices = ["exact", "fast"], help = "how it is computed" })";
        std::string check = "[[component.check]]\ninputs=[[1]]\noptions.filters=1\nthen=" + then;
        check.resize(mode.size(), ' ');
        return reason(replaced(mode, check));
    };
    EXPECT_EQ(reason_of("'relu'"), "manifest:20:1: then of a check is \"relu\"; an array of layers is needed");
    EXPECT_EQ(reason_of("['relu']"),
              "manifest:20:7: a layer in 'then' of a check must be a table: { type = \"relu\" }");
    EXPECT_EQ(reason_of("[{type='add',inputs=['a']}]"),
              "manifest:20:7: inputs of a layer in 'then' are [\"a\"]; an array of names with exactly one \"previous\" "
              "is needed");
}

TEST_F(ElfRefusal, of_other_machines_and_kinds_of_file) {
    const bool here_x86 = reinterpret_cast<const Elf64_Ehdr*>(sound_.data())->e_machine == EM_X86_64;
    EXPECT_EQ(
        reason_with_header([&](Elf64_Ehdr& h) { h.e_machine = here_x86 ? EM_AARCH64 : EM_X86_64; }),
        here_x86 ? "is built for aarch64; this machine is x86_64" : "is built for x86_64; this machine is aarch64");
    EXPECT_TRUE(reason_with_header([](Elf64_Ehdr& h) {
                    h.e_machine = 4711;
                }).starts_with("is built for a machine of ELF number 4711; this machine is "));
    EXPECT_EQ(reason_with_header([](Elf64_Ehdr& h) { h.e_ident[EI_CLASS] = ELFCLASS32; }),
              "is a little-endian ELF file of 32 bits; little-endian and 64 bits are needed");
    EXPECT_EQ(reason_with_header([](Elf64_Ehdr& h) { h.e_ident[EI_DATA] = ELFDATA2MSB; }),
              "is a big-endian ELF file of 64 bits; little-endian and 64 bits are needed");
    EXPECT_EQ(reason_with_header([](Elf64_Ehdr& h) { h.e_type = ET_EXEC; }),
              "is not a shared library: its ELF type is 2; 3 is needed");
    EXPECT_EQ(reason_with_header([](Elf64_Ehdr& h) { h.e_shnum = 0; }),
              "has no usable table of sections, so no manifest; was it stripped of all sections?");
    EXPECT_EQ(reason_with_header([](Elf64_Ehdr& h) { h.e_shoff = ~0ULL - 10; }),
              "is cut short: the file ends at byte " + std::to_string(sound_.size()) +
                  ", before the end of its table of sections");
}

TEST_F(ElfRefusal, of_every_cut) {
    const auto file = scratch_.write("cut.so", sound_);
    for (std::size_t size = sound_.size() - 1; size > 0; size -= size < 100 ? 1 : 97) {
        std::filesystem::resize_file(file, size);
        (void)test::error_of([&] { (void)read_manifest(file); }, Exit::plugin);
    }
    EXPECT_TRUE(
        reason(sound_.substr(0, 2000)).starts_with("is cut short: the file ends at byte 2000, inside a segment of "));
    EXPECT_EQ(reason(sound_.substr(0, sound_.size() - 1)), "is cut short: the file ends at byte " +
                                                               std::to_string(sound_.size() - 1) +
                                                               ", before the end of its table of sections");
}

// Changes one byte at a time in the headers, in the table of sections, or anywhere, and restores it.
TEST_F(ElfRefusal, survives_flipped_bytes) {
    constexpr int kTrials = 3000;
    const auto path = scratch_.write("flipped.so", sound_);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    const auto put = [&](std::size_t at, char byte) {
        file.seekp(static_cast<std::streamoff>(at));
        file.put(byte).flush();
    };
    std::mt19937 random(7);
    int still_read = 0;
    const std::size_t table = reinterpret_cast<const Elf64_Ehdr*>(sound_.data())->e_shoff;
    for (int trial = 0; trial < kTrials; ++trial) {
        const std::size_t begin = trial % 3 == 0 ? table : 0;
        const std::size_t end = trial % 3 == 1 ? 1024 : sound_.size();
        const std::size_t at = begin + random() % (end - begin);
        put(at, static_cast<char>(random()));
        try {
            (void)read_manifest(path);
            ++still_read;
        } catch (const Error& refused) {
            EXPECT_EQ(refused.exit(), Exit::plugin);
        }
        put(at, sound_[at]);
    }
    EXPECT_GT(still_read, kTrials / 10);
    EXPECT_LT(still_read, kTrials);
}

TEST_F(ElfRefusal, of_libraries_that_are_no_plugins) {
    const auto no_symbol = test::broken_plugin("no_symbol");
    EXPECT_EQ(test::without_file(test::error_of([&] { (void)read_manifest(no_symbol); }, Exit::plugin), no_symbol),
              "has a manifest but does not define the symbol sluice_plugin_v1");
    EXPECT_EQ(reason(replaced(".sluice.manifest", ".sluice.manufest")),
              "is not a Sluice plugin: it has no section .sluice.manifest");
}

TEST_F(ElfRefusal, of_wrong_manifests) {
    EXPECT_EQ(reason(replaced("abi = \"1.0\"", "abi = \"2.0\"")),
              "manifest: built for ABI 2.0; this host supports 1.x");
    EXPECT_EQ(reason(replaced("abi = \"1.0\"", "abi = \"x.0\"")),
              "manifest: abi is \"x.0\"; a version such as \"1.0\" is needed");
    EXPECT_EQ(reason(replaced("abi = \"1.0\"", "abx = \"1.0\"")), "manifest: 'abi' is missing");
    EXPECT_EQ(reason(replaced("version = ", "versian = ")), "manifest: 'version' is missing");
    EXPECT_EQ(reason(replaced("id = \"test.sound.teleporter\"", "id = \"test.sound.layer\"     ")),
              "manifest:19:1: component id 'test.sound.layer' appears twice");
    EXPECT_TRUE(reason(replaced("abi = \"1.0\"", "abi = \"1.0 ")).starts_with("manifest:1:"));
    EXPECT_EQ(reason(replaced("type = \"int\"", "type = \"itn\"")),
              "manifest:14:13: option 'filters': type is \"itn\"; did you mean 'int'?");
    EXPECT_EQ(reason(replaced("kind = \"layer\"", "kind= \"kernel\"")), "manifest:7:1: 'device' is missing");
}

TEST_F(ElfRefusal, of_wrong_words_on_draws) {
    const auto with = [&](std::string draws) {
        const std::string about = "about = \"Gives its input\"";
        draws.resize(about.size(), ' ');
        return replaced(about, draws);
    };
    EXPECT_EQ(
        reason(with("draws = 'yes'")),
        "manifest:11:1: draws is \"yes\"; true, false, or an array of names of options of the component is needed");
    EXPECT_NE(reason(with("draws = ['slop']")).find("draws is [\"slop\"]; true, false"), std::string::npos);
    const auto draws_of = [&](const std::string& draws) {
        return read_manifest(scratch_.write("sound.so", with(draws))).components.front().drawing;
    };
    EXPECT_EQ(draws_of("draws = true"), Drawing::always);
    EXPECT_EQ(draws_of("draws = false"), Drawing::never);
    EXPECT_EQ(draws_of("draws = ['slope']"), Drawing::by_options);
    EXPECT_EQ(draws_of(""), Drawing::unsaid);
}

TEST_F(ElfRefusal, accepts_newer_minors) {
    const auto file = scratch_.write("newer.so", replaced("abi = \"1.0\"", "abi = \"1.9\""));
    EXPECT_EQ(read_manifest(file).abi, "1.9");
}

TEST_F(ElfRefusal, passes_over_what_only_newer_minors_know) {
    const std::string of_now = replaced("\"float\",", "\"half\", ");
    EXPECT_NE(reason(of_now).find("type is \"half\""), std::string::npos);
    std::string newer = of_now;
    newer.replace(newer.find("abi = \"1.0\""), 11, "abi = \"1.9\"");
    const PluginManifest manifest = read_manifest(scratch_.write("newer.so", newer));
    EXPECT_TRUE(manifest.components.empty());
    EXPECT_EQ(manifest.unknown_components, (std::vector<std::string>{"test.sound.layer", "test.sound.teleporter"}));
}

}  // namespace
}  // namespace sluice::registry
