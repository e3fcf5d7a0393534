// A run that waits for data uses no CPU time: no thread spins.
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Idle : public PipelineTest {};

// Each of 20 batches comes 100 ms late on average, and then all threads of the team compute it.
TEST_F(Idle, waiting_for_data_takes_no_cpu_time) {
    const std::string late = "source = { use = \"test_numbers\", length = 20, wait_us = 200000 }";
    write("late.toml", "version = 1\n[data]\nbatch = 1\nworkers = 1\nprefetch = 1\n[data.train]\n" + late +
                           "\n[model]\ninput = \"image\"\ntarget = \"image\"\n"
                           "layers = [{ type = \"conv2d\", filters = 512, kernel = 3 }, { type = \"conv2d\", filters = "
                           "512, kernel = 3 }, { type = \"conv2d\", filters = 3, kernel = 3 }]\n"
                           "[loss]\nuse = \"mean_squared_error\"\n[optimizer]\nuse = \"sgd\"\nrate = 1e-6\n");
    const auto run = [&](const std::string& wait) {
        const Finished finished = host({"train", "late.toml", "--run-folder", "run" + wait, "--plugin",
                                        SLUICE_TEST_DATA_PLUGINS, "--set", "data.train.source.wait_us=" + wait});
        expect_success(finished);
        return finished.cpu_seconds;
    };
    const double prompt = run("0");
    const double late_seconds = run("200000");
    EXPECT_LT(late_seconds - prompt, 0.2) << "CPU seconds in about 2 s of waiting";
}

}  // namespace
}  // namespace sluice::test
