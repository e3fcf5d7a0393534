// Completion in editors and shells: the schema of pipeline files, and the words that may come next.
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

using nlohmann::json;

class Completion : public PipelineTest {
protected:
    [[nodiscard]] std::string words(const std::vector<std::string>& line) const {
        return expect_output(joined({"complete"}, line));
    }
};

TEST_F(Completion, offers_what_may_come_next) {
    EXPECT_EQ(words({"pl"}), "plan\nplugins\n");
    EXPECT_EQ(words({"plugins", ""}), "show\n");
    EXPECT_EQ(words({"plugins", "show", "random_r"}), "random_resized_crop\n");
    EXPECT_EQ(words({"train", "--st"}), "--steps\n--stages\n");
    EXPECT_EQ(words({"--st"}), "--steps\n--stages\n");
    EXPECT_EQ(words({"plan", "--expl"}), "--explain\n");
    EXPECT_EQ(words({"train", "--set", "train.ep"}), "train.epochs=\n");
    EXPECT_EQ(words({"train", "--set", "schedule.every"}), "schedule.every_epochs=\n");
    EXPECT_EQ(words({"train", "--set", "optimizer.mom"}), "optimizer.momentum=\n");
    EXPECT_EQ(words({"train", "--set", "optimizer.use=ad"}), "optimizer.use=adam\noptimizer.use=adamw\n");
    EXPECT_EQ(words({"train", "--set", "deterministic", "=", ""}), "false\ntrue\n");
    EXPECT_EQ(words({"help", "kinds/tr"}), "kinds/transform\n");
    EXPECT_EQ(words({"new", "str"}), "strategy\n");
    EXPECT_EQ(words({"new", "layer", "swish", "--lang", "c"}), "c\ncpp\n");
    EXPECT_EQ(words({"check", "hello.so", "--case", "source.any_"}), "source.any_order\nsource.any_thread\n");
    EXPECT_EQ(words({"diagnose", "precision", "--policy", "mixed_b"}), "mixed_bfloat16\n");
    EXPECT_EQ(words({"train", "--pipeline", ""}), "");  // the shell itself completes file names
    EXPECT_EQ(words({"trian", "--st"}), "");
    EXPECT_EQ(words({}), "");
}

TEST_F(Completion, shows_the_nearest_component_or_how_to_list_all) {
    expect_refused(host({"plugins", "show", "random_crp"}), 2,
                   {"no component is called 'random_crp'", "did you mean 'random_crop'"});
    expect_refused(host({"plugins", "show", "quite_another"}), 2, {"plugins` lists all"});
}

// The test calls the installed completion script in the way bash does.
TEST_F(Completion, works_in_bash) {
    const auto ask = [](const std::string& line, const std::string& word) {
        return "COMP_WORDS=(" + line + ") COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_sluice '" SLUICE_TEST_HOST "' '" +
               word + "' before\nprintf '%s|' \"${COMPREPLY[@]}\"\n";
    };
    write("ask", "set -eu\ncomplete() { :; }\ncompopt() { :; }\nsource '" SLUICE_TEST_COMPLETION "'\n" +
                     ask("sluice plugins show random_r", "random_r") + ask("sluice --set optimizer.use = ad", "ad") +
                     ask("sluice --set deterministic =", "") + ask("sluice --set optimizer.mom", "optimizer.mom"));
    const std::string command = "bash '" + (folder() / "ask").string() + "'";
    const std::unique_ptr<FILE, int (*)(FILE*)> shell(popen(command.c_str(), "r"), pclose);
    std::array<char, 256> output{};
    ASSERT_NE(shell, nullptr);
    EXPECT_EQ(std::string(output.data(), std::fread(output.data(), 1, output.size(), shell.get())),
              "random_resized_crop|adam|adamw|false|true|optimizer.momentum=|");
}

TEST_F(Completion, schema_has_keys_of_the_host_and_options_of_components) {
    json schema = json::parse(expect_output({"schema", "--plugin", SLUICE_TEST_LABELLED_DIR}));
    EXPECT_FALSE(schema["properties"]["name"].contains("default"));
    json& tables = schema["properties"];
    EXPECT_EQ(
        tables["train"]["properties"]["epochs"],
        json::parse(R"({"type": "integer", "minimum": 1, "default": 1, "description": "Epochs of the training."})"));
    EXPECT_EQ(tables["strategy"]["anyOf"][0], json::parse(R"({"$ref": "#/definitions/strategy"})"));
    EXPECT_EQ(tables["model"]["properties"]["blocks"]["additionalProperties"]["properties"]["layers"]["items"],
              json::parse(R"({"$ref": "#/definitions/layer"})"));
    std::size_t found = 0;
    for (json& optimizer : schema["definitions"]["optimizer"]["anyOf"]) {
        if (optimizer["properties"]["use"]["const"] == "adam") {
            ++found;
            EXPECT_EQ(optimizer["properties"]["rate"]["exclusiveMinimum"], 0);
            EXPECT_EQ(optimizer["properties"]["beta1"]["type"], "number");
            EXPECT_FALSE(optimizer["properties"]["beta1"]["description"].get<std::string>().empty());
        }
    }
    EXPECT_EQ(found, 1U);
    EXPECT_NE(schema.dump().find("test_stripes"), std::string::npos);
}

TEST_F(Completion, schema_offers_layers_losses_and_metrics_where_they_may_stand) {
    const json definitions = json::parse(expect_output({"schema"}))["definitions"];
    const auto offers = [&](const char* definition, const char* by, const char* name) {
        const json& variants = definitions[definition]["anyOf"];
        return std::ranges::any_of(variants, [&](const json& variant) {
            const json& properties = variant["properties"];
            return properties.contains(by) && properties[by]["const"] == name;
        });
    };
    EXPECT_TRUE(offers("layer", "type", "conv2d"));
    EXPECT_FALSE(offers("layer", "type", "psnr"));
    EXPECT_FALSE(offers("layer", "type", "dice"));
    EXPECT_TRUE(offers("loss", "use", "dice"));
    EXPECT_FALSE(offers("loss", "use", "conv2d"));
    EXPECT_FALSE(offers("loss", "use", "psnr"));
    EXPECT_TRUE(offers("metric", "use", "psnr"));
    EXPECT_TRUE(offers("metric", "use", "dice"));
    EXPECT_FALSE(offers("metric", "use", "conv2d"));
    EXPECT_EQ(words({"train", "--set", "metrics.use=conv"}), "");
    EXPECT_EQ(words({"train", "--set", "loss.use=mean_sq"}), "loss.use=mean_squared_error\n");
}

}  // namespace
}  // namespace sluice::test
