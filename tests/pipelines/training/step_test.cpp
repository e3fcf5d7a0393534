// Parts of a step: gradients of several batches, clipped gradients, averaged weights, a rate that follows evaluations.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

using Tensors = std::map<std::string, std::vector<float>>;

class Step : public PipelineTest {
protected:
    // Writes tiny.toml with plain gradient descent, without batch_norm and dropout, whose results depend on the batch.
    void write_plain(const Replacements& more = {}) const {
        write_tiny(joined({{"  { type = \"batch_norm\" },\n", ""},
                           {"  { type = \"dropout\", rate = 0.1 },\n", ""},
                           {"use = \"adam\"\nrate = 1e-3", "use = \"sgd\"\nrate = 0.5"},
                           {"use = \"cosine\"", "use = \"constant\""},
                           kEveryStep},
                          more));
    }

    // Returns the Euclidean distance of the parameters of two checkpoints.
    [[nodiscard]] double way(const std::string& from, const std::string& to) const {
        const Tensors a = tensors_of(checkpoint("run", from));
        const Tensors b = tensors_of(checkpoint("run", to));
        double sum = 0.0;
        for (const auto& [name, values] : a) {
            for (std::size_t i = 0; name.starts_with("model/") && i < values.size(); ++i) {
                sum += std::pow(static_cast<double>(b.at(name)[i]) - static_cast<double>(values[i]), 2);
            }
        }
        return std::sqrt(sum);
    }
};

// With 19 samples, the last step has two batches, and the second is a single sample. Winograd's method is off, because
// its rounding depends on the algorithm that each batch size gets.
TEST_F(Step, four_batches_of_two_are_one_of_eight) {
    write_plain({{"count = 16", "count = 19"}});
    for (const char* kernels : {"onednn", "reference"}) {
        const std::string name = kernels;
        const std::string options = name == "onednn" ? ", winograd = false" : "";
        const std::string use = "device.kernels=[{ use = \"" + name + "\"" + options + " }, \"reference\"]";
        train("whole_" + name, {"--set", "data.batch=8", "--set", use});
        train("parts_" + name, {"--set", "data.batch=2", "--set", "train.accumulate=4", "--set", use});
        const auto whole = steps("whole_" + name);
        const auto parts = steps("parts_" + name);
        ASSERT_EQ(whole.size(), 6U);
        ASSERT_EQ(parts.size(), 6U);
        for (std::size_t i = 0; i < whole.size(); ++i) {
            EXPECT_EQ(whole[i].at("samples"), parts[i].at("samples")) << i;
            EXPECT_NEAR(whole[i].at("loss"), parts[i].at("loss"), 1e-6) << i;
        }
        const Tensors expected = tensors_of(checkpoint("whole_" + name));
        const Tensors found = tensors_of(checkpoint("parts_" + name));
        for (const auto& [tensor, values] : expected) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                EXPECT_NEAR(values[i], found.at(tensor)[i], 2e-6) << tensor << " " << i;
            }
        }
    }
}

// onednn computes the chain of both as four phases, with and without Winograd's method.
TEST_F(Step, upsampled_convolutions_learn_as_in_the_reference) {
    write_plain({{"  { type = \"conv2d\", filters = 6, kernel = 3, padding = \"reflect\" },\n",
                  "  { type = \"conv2d\", filters = 18, stride = 2 },\n  { type = \"upsample\" },\n"
                  "  { type = \"conv2d\", filters = 17 },\n"}});
    train("reference", {"--set", "device.kernels=reference"});
    const auto right = steps("reference");
    const Tensors expected = tensors_of(checkpoint("reference"));
    for (const std::string winograd : {"false", "true"}) {
        const std::string use = "device.kernels=[{ use = \"onednn\", winograd = " + winograd + " }, \"reference\"]";
        EXPECT_NE(host({"plan", "tiny.toml", "--set", use}).out.find("upsample+conv2d"), std::string::npos);
        train(winograd, {"--set", use});
        const auto found = steps(winograd);
        ASSERT_EQ(found.size(), right.size());
        for (std::size_t i = 0; i < right.size(); ++i) {
            EXPECT_NEAR(found[i].at("loss"), right[i].at("loss"), 1e-5) << winograd << i;
        }
        const Tensors trained = tensors_of(checkpoint(winograd));
        for (const auto& [tensor, values] : expected) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                ASSERT_NEAR(trained.at(tensor)[i], values[i], 2e-5) << winograd << " " << tensor << " " << i;
            }
        }
    }
}

TEST_F(Step, an_epoch_has_a_step_for_each_window) {
    write_plain({{"epochs = 2", "epochs = 2\naccumulate = 3"}});
    const Finished finished = train();  // an epoch has 4 batches, in steps of 3 and 1
    EXPECT_NE(finished.err.find("finished at step 4"), std::string::npos) << finished.err;
    const auto all = steps("run");
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].at("samples"), 12);
    EXPECT_EQ(all[1].at("samples"), 4);
}

// Each of four pictures is bad in turn. Two of them come in the second step, in its first or second batch.
TEST_F(Step, bad_data_within_a_window_leaves_the_state_of_the_last_step) {
    write_tiny({{"source = { use = \"dead_leaves\", count = 16, size = [32, 32] }",
                 "source = { use = \"photos\", folder = \"photos\" }"},
                {"map = [\n", "map = [\n  { use = \"decode\" },\n  { use = \"random_crop\", size = [32, 32] },\n"},
                {"batch = 4", "batch = 1"},
                {"epochs = 2", "epochs = 2\naccumulate = 2"}});
    const auto write_good = [&](int i) {
        write("photos/" + std::to_string(i) + ".png", png_of(make_picture(48, 48, 3, i)));
    };
    for (int i = 0; i < 4; ++i) {
        write_good(i);
    }
    train("good", {"--steps", "1"});
    const Tensors expected = tensors_of(checkpoint("good"));
    int saved = 0;
    for (int i = 0; i < 4; ++i) {
        write("photos/" + std::to_string(i) + ".png", "no picture");
        const std::string run = "bad_" + std::to_string(i);
        EXPECT_EQ(host({"train", "tiny.toml", "--run-folder", run}).exit, 3);
        if (std::filesystem::exists(checkpoint(run))) {
            EXPECT_EQ(tensors_of(checkpoint(run)), expected) << i;
            ++saved;
        }
        write_good(i);
    }
    EXPECT_EQ(saved, 2);
}

TEST_F(Step, clipping_reports_the_norm_before) {
    const std::string every = "every = \"1 epoch\"\nkeep = 2";
    write_plain({{every, "every = \"1 steps\"\nkeep = 9"}});
    train("run", {"--set", "optimizer.clip_norm=1000", "--steps", "2"});
    const double norm = steps("run").at(1).at("gradient_norm");
    EXPECT_GT(norm, 0.0);
    EXPECT_NEAR(way("step-00000001", "step-00000002"), 0.5 * norm, 1e-4 * norm);
    EXPECT_FALSE([&] {
        train("unclipped", {"--steps", "1"});
        return steps("unclipped").at(0).contains("gradient_norm");
    }());

    const double most = 0.25 * norm;
    std::filesystem::remove_all(folder() / "run");
    train("run", {"--set", "optimizer.clip_norm=" + std::to_string(most), "--steps", "2"});
    const double before = steps("run").at(1).at("gradient_norm");
    EXPECT_GT(before, 2.0 * most);
    EXPECT_NEAR(way("step-00000001", "step-00000002"), 0.5 * most * before / (before + 1e-6), 1e-4 * most);
}

// A rate that the host scales gives the same steps as that rate in the file, also in the warm-up and in a resumed run.
TEST_F(Step, rate_is_scaled_by_the_samples_of_a_step) {
    write_tiny({{"[train]\n", "[train]\naccumulate = 2\n"}, {"\"cosine\"", "\"cosine\"\nwarmup = 0.5"}, kEveryStep});
    const std::vector<std::string> scaled{"--set", "optimizer.scale_rate=linear", "--set", "optimizer.scale_from=2"};
    train("written", {"--set", "optimizer.rate=4e-3"});
    const Finished scaled_run = train("scaled", scaled);
    EXPECT_EQ(count_of(scaled_run.err, "rate    0.004: 0.001 x 8 / 2 (samples a step"), 1U) << scaled_run.err;
    train("resumed", joined<std::string>({"--steps", "1"}, scaled));
    expect_success(host({"resume", "resumed", "--set", "train.steps=4"}));
    EXPECT_EQ(steps("scaled").at(0).at("rate"), steps("written").at(0).at("rate"));
    EXPECT_EQ(tensors_of(checkpoint("scaled")), tensors_of(checkpoint("written")));
    EXPECT_EQ(tensors_of(checkpoint("resumed")), tensors_of(checkpoint("written")));
    expect_output(joined<std::string>({"plan", "tiny.toml", "--explain"}, scaled),
                  {"scale_rate = \"linear\"", "rate 0.004: 0.001 x 8 / 2"});
}

TEST_F(Step, average_follows_the_weights_and_is_what_is_evaluated) {
    write_tiny({{"every = \"1 epoch\"\nkeep = 2", "every = \"1 steps\"\nkeep = 99"},
                {"epochs = 2", "epochs = 2\nema = 0.5"},
                {"rate = 1e-3", "rate = 3e-2"}});
    train("start", {"--steps", "0"});
    train();
    Tensors average = tensors_of(checkpoint("start"));
    for (int step = 1; step <= 8; ++step) {
        const Tensors now = tensors_of(checkpoint("run", "step-0000000" + std::to_string(step)));
        const double decay = std::min(0.5, (1.0 + step) / (10.0 + step));
        for (auto& [name, values] : average) {
            for (std::size_t i = 0; (name.starts_with("model/") || name.starts_with("running/")) && i < values.size();
                 ++i) {
                values[i] = static_cast<float>(decay * values[i] + (1.0 - decay) * now.at(name)[i]);
                ASSERT_NEAR(now.at("average/" + name)[i], values[i], 1e-5F * std::max(1.0F, std::abs(values[i])))
                    << name << " " << step;
            }
        }
    }
    const std::string table = read_bytes(folder() / "run/metrics.csv");
    const std::string header = table.substr(0, table.find('\n'));
    const auto column =
        std::count(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(header.find(",psnr") + 1), ',');
    std::istringstream last(table.substr(table.rfind('\n', table.size() - 2) + 1));
    std::string cell;
    for (std::ptrdiff_t i = 0; i <= column; ++i) {
        std::getline(last, cell, ',');
    }
    const double psnr = scores(checkpoint()).at("psnr");
    EXPECT_NEAR(psnr, std::stod(cell), 1e-4);
    EXPECT_GT(std::abs(scores(checkpoint(), {"--last-weights"}).at("psnr") - psnr), 1e-4);
}

TEST_F(Step, plateau_lowers_the_rate) {
    write_tiny({{"use = \"cosine\"", "use = \"plateau\"\nfactor = 0.5\npatience = 1\nthreshold = 0.9"},
                {"epochs = 2", "epochs = 6"},
                kEveryStep});
    train();
    const auto all = steps("run");
    ASSERT_EQ(all.size(), 24U);
    const double expected[] = {1e-3, 1e-3, 1e-3, 5e-4, 5e-4, 2.5e-4};
    for (std::size_t epoch = 0; epoch < 6; ++epoch) {
        EXPECT_NEAR(all[4 * epoch].at("rate"), expected[epoch], 1e-12) << epoch;
    }
}

}  // namespace
}  // namespace sluice::test
