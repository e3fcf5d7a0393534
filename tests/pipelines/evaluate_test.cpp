// `host evaluate`: what it prints, and its files for other programs.
#include <sstream>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Evaluate : public PipelineTest {
protected:
    Evaluate() {
        write_tiny();
        train();
    }
};

TEST_F(Evaluate, prints_metrics_beside_those_of_the_input) {
    expect_told({"evaluate", checkpoint()}, {"samples     4\n", "loss ", "psnr ", "(input "});
}

TEST_F(Evaluate, json_agrees_with_the_training_run) {
    const auto found = scores(checkpoint());
    EXPECT_EQ(found.at("samples"), 4);
    const std::string table = read_bytes(folder() / "run/metrics.csv");
    const std::string last_row = table.substr(table.rfind("\n2,"));
    std::ostringstream psnr;
    psnr.precision(9);
    psnr << found.at("psnr");
    EXPECT_NE(last_row.find(psnr.str().substr(0, 8)), std::string::npos) << last_row << psnr.str();
    EXPECT_GT(found.at("input_psnr"), 10.0);
}

TEST_F(Evaluate, csv_has_a_row_for_each_sample) {
    expect_success(host({"evaluate", checkpoint(), "--csv", "scores.csv"}));
    const std::string table = read_bytes(folder() / "scores.csv");
    EXPECT_TRUE(table.starts_with("sample,psnr,input_psnr\n")) << table;
    EXPECT_EQ(count_of(table, "\n"), 5U) << table;
    EXPECT_EQ(count_of(table, "dead_leaves/validation/"), 4U) << table;
}

TEST_F(Evaluate, takes_other_data_by_set) {
    expect_told({"evaluate", checkpoint(), "--set", "data.validation.source.count=7"}, {"samples     7\n"});
}

TEST_F(Evaluate, needs_validation_data) {
    write("alone.toml", "version = 1\n");
    write_tiny({kWithoutValidation});
    expect_refused(host({"evaluate", checkpoint(), "--pipeline", "tiny.toml"}), 2, {"[data.validation]"});
}

TEST_F(Evaluate, csv_that_cannot_be_written) {
    expect_refused(host({"evaluate", checkpoint(), "--csv", "tiny.toml/scores.csv"}), 8, {"tiny.toml/scores.csv"});
}

}  // namespace
}  // namespace sluice::test
