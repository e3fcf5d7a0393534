// Evaluation between training steps, with a provider that folds batch_norm into convolutions. It must follow the
// weights.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "run/replica/inference.hpp"
#include "run/replica/replica.hpp"
#include "run/setup/open_optimizer.hpp"
#include "unit/run/replica/replica_bench.hpp"

namespace sluice::test {
namespace {

// There is a convolution of each kind: of many channels, with a stride, of an enlarged image, to few channels.
const std::string kConvolutions = pipeline_of(R"(
  { type = "conv2d", filters = 16 },
  { type = "batch_norm", name = "first" },
  { type = "relu" },
  { type = "conv2d", filters = 17, bias = false },
  { type = "batch_norm", name = "wide" },
  { type = "relu" },
  { type = "conv2d", filters = 18, stride = 2 },
  { type = "batch_norm", name = "stride" },
  { type = "relu" },
  { type = "upsample", factor = 2 },
  { type = "conv2d", filters = 19 },
  { type = "batch_norm", name = "upsampled" },
  { type = "relu" },
  { type = "conv2d", filters = 3, kernel = 7, padding = "reflect" },
  { type = "batch_norm", name = "few" },
  { type = "relu" },
  { type = "add", inputs = ["input", "previous"] },
)",
                                              "mean_absolute_error");

// The parameter says whether Winograd's method is used.
class RunInference : public testing::TestWithParam<bool> {
protected:
    void train(std::uint64_t steps) {
        for (std::uint64_t i = 0; i < steps; ++i) {
            ++step_;
            trained_.training().compute_gradients(batch_, {.step = step_, .rates = run::constant_rate(0.02)});
            trained_.training().update();
            trained_.training().finish_step();
        }
    }

    run::EvaluatedBatch evaluated(run::Replica& replica) {
        std::vector<run::EvaluatedBatch> whole;
        replica.inference().evaluate(batch_, whole);
        return whole.at(0);
    }

    // Evaluates with the reference provider and the current weights.
    run::EvaluatedBatch evaluate_plainly() {
        std::memcpy(plain_.network().weights().parameters(), trained_.network().weights().parameters(),
                    trained_.network().weights().count() * sizeof(float));
        std::memcpy(plain_.network().weights().running(), trained_.network().weights().running(),
                    trained_.network().weights().running_count() * sizeof(float));
        plain_.network().weights().mark_changed();
        return evaluated(plain_);
    }

    PlanBench fast_{{std::string("device.kernels=[{ use = \"onednn\", winograd = ") + (GetParam() ? "true" : "false") +
                     " }, \"reference\"]"},
                    kConvolutions};
    PlanBench slow_{{"device.kernels=reference"}, kConvolutions};
    registry::Optimizer optimizer_ = run::open_optimizer(fast_.spec, fast_.registry, "cpu");
    run::Replica trained_{fast_.spec, fast_.tools, &optimizer_, fast_.fields, 2};
    run::Replica plain_{slow_.spec, slow_.tools, nullptr, slow_.fields, 2};
    data::Batch batch_ = fixed_batch(fast_);
    std::uint64_t step_ = 0;
};

float largest_difference(const std::vector<data::NamedTensor>& found, const std::vector<data::NamedTensor>& right) {
    float largest = 0.0F;
    for (std::size_t i = 0; i < right.size(); ++i) {
        const auto* a = reinterpret_cast<const float*>(found[i].tensor.bytes.data());
        const auto* b = reinterpret_cast<const float*>(right[i].tensor.bytes.data());
        for (std::size_t k = 0; k < right[i].tensor.bytes.size() / sizeof(float); ++k) {
            largest = std::max(largest, std::abs(a[k] - b[k]));
        }
    }
    return largest;
}

TEST_P(RunInference, follows_the_weights) {
    double before = 0.0;
    for (int round = 0; round < 3; ++round) {
        train(3);
        const run::EvaluatedBatch right = evaluate_plainly();
        for (int time = 0; time < 2; ++time) {
            const run::EvaluatedBatch found = evaluated(trained_);
            EXPECT_NEAR(found.loss.mean(), right.loss.mean(), 1e-5) << round << time;
            EXPECT_LT(largest_difference(trained_.inference().images(), plain_.inference().images()), 1e-4F)
                << round << time;
        }
        EXPECT_GT(std::abs(right.loss.mean() - before), 1e-3);  // otherwise old weights would pass, too
        before = right.loss.mean();
    }
    EXPECT_TRUE(has_step(trained_.runner().used().plan, {"upsample", "conv2d", "batch_norm", "relu"}));
}

TEST_P(RunInference, shows_what_is_not_a_number) {
    train(1);
    for (const run::WeightTensor& tensor : trained_.network().weights().tensors()) {
        if (!tensor.name.starts_with("running/") || !tensor.name.ends_with("/mean")) {
            continue;
        }
        auto* means = reinterpret_cast<float*>(tensor.data);
        const float mean = std::exchange(means[0], std::numeric_limits<float>::quiet_NaN());
        trained_.network().weights().mark_changed();
        EXPECT_TRUE(std::isnan(evaluated(trained_).loss.mean())) << tensor.name;
        means[0] = mean;
    }
    trained_.network().weights().mark_changed();
    EXPECT_FALSE(std::isnan(evaluated(trained_).loss.mean()));
}

INSTANTIATE_TEST_SUITE_P(Winograd, RunInference, testing::Bool());

}  // namespace
}  // namespace sluice::test
