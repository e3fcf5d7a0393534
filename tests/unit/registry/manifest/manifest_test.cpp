// The contents of a manifest that are accepted, and the parts of it that nobody reads.
#include "registry/manifest/manifest.hpp"

#include <gtest/gtest.h>

#include "unit/registry/registry_files.hpp"

namespace sluice::registry {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

const std::string kSound = R"toml(abi = "1.0"
id = "com.acme.layers"
version = "1.4.0"
about = "Layers"

[[component]]
kind = "layer"
id = "com.acme.layer.swish"
provides = "swish"
about = "x * sigmoid(x)"

[component.options]
mode = { type = "string", default = "exact", choices = ["exact", "fast"], unit = "", help = "how" }
)toml";

PluginManifest with(const std::string& from, const std::string& to) {
    return parse_manifest(replaced(kSound, from, to), "manifest");
}

std::string complaint(const std::string& from, const std::string& to) {
    return test::error_of([&] { (void)with(from, to); }, Exit::plugin);
}

// A text, and whether a manifest may have it.
struct Word {
    const char* text;
    bool is_right;
};

TEST(Manifest, refuses_names_that_new_refuses) {
    for (const auto& [name, is_right] :
         {Word{"s", true}, Word{"swish_2", true}, Word{"Swish", false}, Word{"2swish", false}, Word{"a b{}", false},
          Word{"../../x", false}, Word{"a-b", false}, Word{"_a", false}, Word{"sw\u00EEsh", false},
          Word{"a23456789_123456789_123456789_123456789_123456789_123456789_1234", true},
          Word{"a23456789_123456789_123456789_123456789_123456789_123456789_12345", false}}) {
        const std::string provides = "provides = \"" + std::string(name) + "\"";
        if (is_right) {
            EXPECT_EQ(with("provides = \"swish\"", provides).components.front().provides, name);
            EXPECT_EQ(with("mode =", std::string(name) + " =").components.front().options.front().name, name);
            continue;
        }
        const std::string rule =
            "\"" + std::string(name) +
            "\"; a lower-case letter and then lower-case letters, digits and _ are needed, at most "
            "64, such as hsv_jitter";
        EXPECT_EQ(complaint("provides = \"swish\"", provides), "manifest:9:1: provides is " + rule);
        EXPECT_EQ(complaint("about = \"x * sigmoid(x)\"", "device = \"" + std::string(name) + "\""),
                  "manifest:10:1: device is " + rule);
        EXPECT_EQ(complaint("mode =", "\"" + std::string(name) + "\" ="),
                  "manifest:13:1: the name of an option is " + rule);
    }
    EXPECT_EQ(complaint("provides = \"swish\"", "provides = 'a\"b'").substr(0, 34),
              R"(manifest:9:1: provides is "a\"b"; )");
}

TEST(Manifest, refuses_options_that_no_pipeline_could_give) {
    for (const std::string key : {"use", "type", "block", "name", "inputs", "repeat", "precision"}) {
        EXPECT_EQ(complaint("mode =", key + " ="),
                  "manifest:13:1: option '" + key + "' could never be given: Sluice itself reads the key '" + key +
                      "' where a pipeline chooses a component of kind layer; another name is needed");
    }
    const std::string source = replaced(kSound, "\"layer\"", "\"source\"");
    EXPECT_EQ(parse_manifest(replaced(source, "mode =", "name ="), "manifest").components.size(), 1U);
    EXPECT_NE(
        test::error_of([&] { (void)parse_manifest(replaced(source, "mode =", "weight ="), "manifest"); }, Exit::plugin)
            .find("reads the key 'weight'"),
        std::string::npos);
}

TEST(Manifest, refuses_what_kernels_know_and_is_no_name) {
    const auto knows = [](const std::string& what) {
        return replaced(replaced(kSound, "\"layer\"", "\"kernel\"\ndevice = \"cpu\""), "about = \"x",
                        "knows = [\"" + what + "\"]\nabout = \"x");
    };
    EXPECT_EQ(parse_manifest(knows("conv2d.groups"), "manifest").components.front().known_options.size(), 1U);
    for (const char* const wrong : {"conv2d", ".groups", "conv2d.", "conv2d.groups.x", "a b.c"}) {
        EXPECT_NE(test::error_of([&] { (void)parse_manifest(knows(wrong), "manifest"); }, Exit::plugin)
                      .find("manifest:11:1: knows is "),
                  std::string::npos)
            << wrong;
    }
}

TEST(Manifest, takes_that_a_source_sees_others_and_of_nothing_else) {
    const auto sees = [](const std::string& what, const std::string& kind = "source") {
        return replaced(replaced(kSound, "\"layer\"", "\"" + kind + "\""), "about = \"x",
                        "sees_others = " + what + "\nabout = \"x");
    };
    EXPECT_TRUE(parse_manifest(sees("true"), "manifest").components.front().sees_others);
    EXPECT_TRUE(parse_manifest(sees("true"), "manifest").components.front().unread.empty());
    EXPECT_FALSE(parse_manifest(sees("false"), "manifest").components.front().sees_others);
    for (const std::string& wrong : {sees("'yes'"), sees("true", "layer")}) {
        EXPECT_NE(test::error_of([&] { (void)parse_manifest(wrong, "manifest"); }, Exit::plugin)
                      .find("manifest:10:1: sees_others is "),
                  std::string::npos);
    }
    EXPECT_NE(test::error_of([&] { (void)parse_manifest(replaced(sees("true"), "mode =", "others ="), "manifest"); },
                             Exit::plugin)
                  .find("the source has an option 'others'"),
              std::string::npos);
}

TEST(Manifest, refuses_ids_that_are_no_dotted_words) {
    for (const char* const right : {"a.b", "com.my-company.x_1", "io.github.9to5.layer", "org.a.b-2"}) {
        EXPECT_EQ(with("com.acme.layers", right).id, right);
        EXPECT_EQ(with("com.acme.layer.swish", right).components.front().id, right);
    }
    for (const char* const wrong : {"swish", "a b", "com.", ".com", "com..acme", "com.Acme", "9.a", "com.-a", "com._a",
                                    "com/acme.x", "com.\u00E4"}) {
        const std::string rule = " is \"" + std::string(wrong) + "\"; two or more words joined by dots are needed";
        EXPECT_EQ(complaint("com.acme.layers", wrong).find("manifest:2:1: id" + rule), 0U) << wrong;
        EXPECT_EQ(complaint("com.acme.layer.swish", wrong).find("manifest:8:1: id" + rule), 0U) << wrong;
    }
    EXPECT_EQ(with("com.acme.layers", "a." + std::string(126, 'b')).id.size(), 128U);
    EXPECT_NE(complaint("com.acme.layers", "a." + std::string(127, 'b')).find("at most 128"), std::string::npos);
}

TEST(Manifest, refuses_versions_that_are_none) {
    EXPECT_EQ(with("1.4.0", "2.0-rc1").version, "2.0-rc1");
    EXPECT_EQ(
        complaint("1.4.0", "not a version").find("manifest:3:1: version is \"not a version\"; numbers joined by dots"),
        0U);
    EXPECT_EQ(with("unit = \"\"", "since = \"1.5\"").components.front().options.front().since, "1.5");
    EXPECT_NE(
        complaint("unit = \"\"", "since = \"soon\"").find("option 'mode': since is \"soon\"; numbers joined by dots"),
        std::string::npos);
}

// Control characters are refused in every text, at their place, also if TOML escapes them.
TEST(Manifest, refuses_texts_that_a_terminal_obeys) {
    const std::pair<const char*, const char*> kTexts[] = {{"com.acme.layers", "manifest:2:1: id"},
                                                          {"1.4.0", "manifest:3:1: version"},
                                                          {"Layers", "manifest:4:1: about"},
                                                          {"com.acme.layer.swish", "manifest:8:1: id"},
                                                          {"\"layer\"", "manifest:7:1: kind"},
                                                          {"x * sigmoid(x)", "manifest:10:1: about"},
                                                          {"\"how\"", "manifest:13:86: option 'mode': help"},
                                                          {"fast", "manifest:13:66: option 'mode': choices"},
                                                          {"exact\",", "manifest:13:27: option 'mode': default"},
                                                          {"\"\"", "manifest:13:75: option 'mode': unit"}};
    for (const auto& [text, place] : kTexts) {
        const std::size_t inside = std::string(text).front() == '"' ? 1 : 0;
        for (const auto& [letter, number] :
             {std::pair{"\u009b", "U+009B"}, std::pair{"\u202e", "U+202E"}, std::pair{"\\u202e", "U+202E"},
              std::pair{"\\u001b", "U+001B"}, std::pair{"\\n", "U+000A"}}) {
            EXPECT_EQ(complaint(text, std::string(text).insert(inside, letter)),
                      std::string(place) + " has the control character " + number +
                          "; one line of text without control characters is needed");
        }
    }
    EXPECT_EQ(with("Layers", "L\u00E4gen \u05D0 \U0001F600").about, "L\u00E4gen \u05D0 \U0001F600");
}

TEST(Manifest, refuses_keys_that_a_terminal_obeys_wherever_they_stand) {
    for (const auto& [from, to] :
         {std::pair{"abi =", "\"a\\u009b\" = 1\nabi ="}, std::pair{"kind =", "x = [{ \"a\\u009b\" = 1 }]\nkind ="},
          std::pair{"unit", "\"a\\u009b\" = 1, unit"}}) {
        EXPECT_NE(complaint(from, to).find("the key \"a\\u009b\" has the control character U+009B"), std::string::npos);
    }
}

TEST(Manifest, tells_what_nobody_reads_with_the_nearest) {
    EXPECT_TRUE(with("Layers", "More").unread.empty());
    EXPECT_TRUE(with("Layers", "More").components.front().unread.empty());
    EXPECT_EQ(with("about", "abuot").unread,
              std::vector<std::string>{"manifest:4:1: unknown key 'abuot' of the plugin; did you mean 'about'?"});
    const auto of_component = [](const std::string& from, const std::string& to) {
        return with(from, to).components.front().unread;
    };
    EXPECT_EQ(of_component("about = \"x", "drws = true\nabout = \"x"),
              std::vector<std::string>{"manifest:10:1: unknown key 'drws' of a component; did you mean 'draws'?"});
    EXPECT_EQ(of_component("help", "hlep"),
              std::vector<std::string>{"manifest:13:86: unknown key 'hlep' of option 'mode'; did you mean 'help'?"});
    EXPECT_EQ(of_component(", help = \"how\" }", " }\n[[component.check]]\ninputs = [[1]]\nthne = []"),
              std::vector<std::string>{"manifest:16:1: unknown key 'thne' of a check; did you mean 'then'?"});
    const PluginManifest no_kind = with("\"layer\"", "\"layr\"");
    EXPECT_TRUE(no_kind.components.empty());
    EXPECT_EQ(no_kind.unread, std::vector<std::string>{"manifest:7:1: there is no kind \"layr\", so the component is "
                                                       "ignored; did you mean 'layer'?"});
}

TEST(Manifest, of_a_newer_minor_may_have_what_nobody_here_reads) {
    const std::string newer = replaced(kSound, "1.0", "1.9");
    for (const auto& [from, to] :
         {std::pair{"about", "abuot"}, std::pair{"help", "hlep"}, std::pair{"\"layer\"", "\"layr\""}}) {
        const PluginManifest manifest = parse_manifest(replaced(newer, from, to), "manifest");
        EXPECT_TRUE(manifest.unread.empty());
        EXPECT_TRUE(manifest.components.empty() || manifest.components.front().unread.empty());
    }
}

// A block that begins with a table is a fragment. It is read after the rest of a manifest.
TEST(ManifestPages, show_what_is_read) {
    constexpr std::string_view kOpen = "```toml\n";
    int blocks = 0;
    for (const char* const page : {SLUICE_TEST_MANIFEST_PAGE, SLUICE_TEST_CHECKING_PAGE}) {
        const std::string text = read_file(page);
        for (std::size_t at = text.find(kOpen); at != std::string::npos; at = text.find(kOpen, at + 1)) {
            const std::size_t begin = at + kOpen.size();
            std::string block = text.substr(begin, text.find("```\n", begin) - begin);
            if (block.starts_with("[")) {
                const std::string kind = block.find("file = ") != std::string::npos ? "source" : "layer";
                const std::string options =
                    "[component.options]\nfile = { type = \"string\", help = \"which\" }\n"
                    "beta = { type = \"float\", help = \"how\" }\n";
                block =
                    replaced(kSound.substr(0, kSound.find("[component.options]")), "\"layer\"", "\"" + kind + "\"") +
                    (block.starts_with("[component.options]") ? "" : options) + block;
            } else {
                block = "abi = \"1.0\"\n" + block;
            }
            EXPECT_NO_THROW(parse_manifest(block, page)) << block;
            ++blocks;
        }
    }
    EXPECT_GE(blocks, 5);
}

}  // namespace
}  // namespace sluice::registry
