// Comparisons of runs.
#include <nlohmann/json.hpp>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Compare : public PipelineTest {
protected:
    void train_two(const std::vector<std::string>& second = {}) const {
        write_tiny({kEveryStep});
        expect_success(host({"train", "tiny.toml", "--run-folder", "a"}));
        expect_success(host(joined<std::string>({"train", "tiny.toml", "--run-folder", "b"}, second)));
    }
};

TEST_F(Compare, shows_what_differs) {
    train_two({"--set", "optimizer.rate=0.5"});
    const Finished text = host({"compare", "a", "b", "--html", "page.html"});
    expect_success(text);
    expect_contains(text.out, {"A  a: finished, step 8 of 8", "optimizer.rate", "0.5", "step ", "validation psnr",
                               "B against A: "});
    expect_contains(read_bytes(folder() / "page.html"), {"Comparison of runs", "<!doctype html>"});
    const nlohmann::json json = nlohmann::json::parse(expect_output({"compare", "a", "b", "--json"}));
    EXPECT_EQ(json["settings"][0]["key"], "optimizer.rate");
}

TEST_F(Compare, fails_if_a_condition_is_met) {
    train_two();
    expect_success(
        host({"compare", "a", "b", "--fail-if", "validation.psnr < -0.1", "--fail-if", "step_seconds > 50x"}));
    const Finished met = host({"compare", "a", "b", "--fail-if", "validation.psnr < 0.1"});
    EXPECT_EQ(met.exit, 9);
    expect_contains(met.err, {"B against A: 'validation.psnr < 0.1' is met"});
}

TEST_F(Compare, refuses_bad_conditions_and_folders) {
    train_two();
    expect_refused(host({"compare", "a", "b", "--fail-if", "step_seconds 1.05x"}), 2, {"it has neither > nor <"});
    expect_refused(host({"compare", "a", "b", "--fail-if", "step_second > 1.05x"}), 2,
                   {"did you mean 'step_seconds'?"});
    expect_refused(host({"compare", "a"}), 2, {"1 run is given; name two or more"});
    expect_refused(host({"compare", "a", "tiny.toml"}), 2, {"tiny.toml: this is not a run's folder"});
}

}  // namespace
}  // namespace sluice::test
