// Mistakes in a pipeline file or on the command line: the host names the place in one line and exits with code 2.
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class BadConfig : public PipelineTest {};

TEST_F(BadConfig, misspelt_key_of_the_host) {
    train_refused({{"batch = 4", "batsh = 4"}}, 2, {"tiny.toml:5:1", "'batsh'", "did you mean 'batch'?"});
}

TEST_F(BadConfig, misspelt_option_of_a_component) {
    train_refused({{"filters = 6", "filtres = 6"}}, 2, {"tiny.toml:23:22", "'filtres'", "did you mean 'filters'?"});
}

TEST_F(BadConfig, misspelt_rate_of_the_optimizer) {
    train_refused({{"rate = 1e-3", "rat = 1e-3"}}, 2, {"tiny.toml:40:1", "'rat'", "did you mean 'rate'?"});
}

TEST_F(BadConfig, wrong_type) {
    train_refused({{"batch = 4", "batch = \"four\""}}, 2, {"tiny.toml:5:1", "data.batch", "\"four\"", "integer"});
    train_refused({{"filters = 6", "filters = 6.5"}}, 2, {"tiny.toml:23:22", "'filters'", "6.5", "integer from 1 to"});
}

TEST_F(BadConfig, value_out_of_range) {
    train_refused({{"epochs = 2", "epochs = 0"}}, 2, {"tiny.toml:46:1", "train.epochs", "0", "at least 1"});
}

TEST_F(BadConfig, text_that_is_no_toml) { train_refused({{"seed = 3", "seed = = 3"}}, 2, {"tiny.toml:2:"}); }

TEST_F(BadConfig, missing_include) {
    write("base.toml", "version = 1\n");
    train_refused({{"seed = 3", "include = \"bas.toml\""}}, 2,
                  {"tiny.toml:2:1", "\"bas.toml\"", "did you mean 'base.toml'?"});
}

TEST_F(BadConfig, component_that_does_not_exist) {
    train_refused({{"\"adam\"", "\"adamm\""}}, 2, {"tiny.toml:39:1", "no optimizer 'adamm'", "'adam'"});
    train_refused({{"\"relu\"", "\"rellu\""}}, 2, {"tiny.toml:25:5", "no layer 'rellu'", "'relu'"});
    train_refused({{"[train]", "[strategy]\nuse = \"ring\"\n[train]"}}, 2, {"tiny.toml:46:1", "no strategy 'ring'"});
}

TEST_F(BadConfig, field_that_the_data_lacks) {
    train_refused({{"input = \"blurred\"", "input = \"blured\""}}, 2, {"'blured'", "did you mean 'blurred'?"});
}

TEST_F(BadConfig, layers_whose_shapes_do_not_fit) {
    train_refused({{"filters = 3", "filters = 4"}}, 2, {"tiny.toml:29:", "add", "[4, 32, 32, 3]", "[4, 32, 32, 4]"});
}

TEST_F(BadConfig, metric_to_monitor_that_is_not_measured) {
    train_refused({{"keep = 2", "keep = 2\nmonitor = \"ssim\""}}, 2, {"tiny.toml:51:1", "\"ssim\"", "loss, psnr"});
}

TEST_F(BadConfig, set_names_itself) {
    write_tiny();
    expect_refused(host({"--pipeline", "tiny.toml", "--set", "data.batsh=2"}), 2,
                   {"--set data.batsh=2", "did you mean 'batch'?"});
    expect_refused(host({"--pipeline", "tiny.toml", "--set", "data.batch"}), 2, {"--set data.batch"});
}

TEST_F(BadConfig, command_line) {
    expect_refused(host({"trian"}), 2, {"'trian'", "did you mean 'train'?"});
    expect_refused(host({"train", "--pipelin", "x"}), 2, {"'--pipelin'", "did you mean '--pipeline'?"});
    expect_refused(host({"train"}), 2, {"no pipeline was given"});
    expect_refused(host({"--pipeline", "deblurr.toml"}), 2, {"deblurr.toml", "did you mean 'deblur.toml'?"});
    write_tiny();
    expect_refused(host({"--pipeline", "tiny.toml", "--steps", "some"}), 2, {"'some'", "--steps"});
    expect_refused(host({"--pipeline", "tiny.toml", "--steps", "-1"}), 2, {"train.steps", "at least 0"});
}

TEST_F(BadConfig, leaves_no_run_folder) {
    train_refused({{"\"adam\"", "\"adamm\""}}, 2, {"adamm"});
    EXPECT_FALSE(std::filesystem::exists(folder() / "runs"));
}

}  // namespace
}  // namespace sluice::test
