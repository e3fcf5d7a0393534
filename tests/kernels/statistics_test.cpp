// Statistics of batch_norm if the mean is much larger than the deviation, so that E[x^2] - E[x]^2 has no correct digit.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>

#include "base/random.hpp"
#include "check/numerics/kernel_run.hpp"
#include "check/numerics/providers.hpp"

namespace {

using namespace sluice;
using namespace sluice::check;

constexpr std::int64_t kRows = 3 * 41 * 37;

// Channel 0 has a constant mean, channel 1 has one that moves in steps, and channel 2 begins with a row far away. The
// other channels repeat these three.
double element(std::int64_t row, std::int64_t channel) {
    const auto draw = random_bits({1, 2, static_cast<std::uint64_t>(channel)}, static_cast<std::uint64_t>(row));
    const double noise = 0.02 * (static_cast<double>(draw >> 11) * 0x1p-53 - 0.5);
    const double step = channel % 3 == 1 ? 5.0 * static_cast<double>(row / 700) : 0.0;
    const double first = channel % 3 == 2 && row == 0 ? -1000.0 : 0.0;
    return static_cast<float>(1000.0 + step + noise + first);
}

struct Moments {
    double mean = 0.0;
    double variance = 0.0;  // unbiased, as running statistics are
};

Moments exact(std::int64_t channel) {
    Moments moments;
    for (std::int64_t r = 0; r < kRows; ++r) {
        moments.mean += element(r, channel) / static_cast<double>(kRows);
    }
    for (std::int64_t r = 0; r < kRows; ++r) {
        moments.variance += std::pow(element(r, channel) - moments.mean, 2) / static_cast<double>(kRows - 1);
    }
    return moments;
}

const registry::ComponentManifest* find_kernels(const registry::Registry& registry, const std::string& name) {
    for (const registry::ComponentManifest* manifest : registry.list(registry::Kind::kernel)) {
        if (manifest->provides == name) {
            return manifest;
        }
    }
    return nullptr;
}

class Statistics : public testing::TestWithParam<std::tuple<const char*, std::int64_t>> {};

TEST_P(Statistics, AreExactWhereTheMeanIsLarge) {
    const registry::Registry registry(SLUICE_PLUGINS, {});
    const auto [name, channels] = GetParam();
    const registry::ComponentManifest* manifest = find_kernels(registry, name);
    if (manifest == nullptr) {
        GTEST_SKIP() << "no provider " << name;
    }
    const registry::Component type = registry.find(registry::Kind::layer, "batch_norm", {});
    Table options;
    options.set("momentum", {0.0, {}});  // the running statistics are those of the batch
    const registry::CheckCase check{.inputs = {make_spec(kFloat32, {3, 41, 37, channels})},
                                    .options = registry.options(type, {"batch_norm", {}, options}),
                                    .then = {},
                                    .files = {}};
    const NodeCase node(registry, type, check, 1, true);
    NodeValues values = make_values(node);
    for (std::int64_t i = 0; i < kRows * channels; ++i) {
        values.inputs[0][static_cast<std::size_t>(i)] = element(i / channels, i % channels);
    }

    Providers providers(registry);
    const Provider& provider = providers.get(*manifest);
    const Wanted wanted{.inputs = 1};
    std::string refusal;
    registry::TuningCache choices;
    const NodeView view(node, kFloat32, wanted);
    auto kernel = provider.kernels->plan(view.chain(), "batch_norm", {provider.bench->threads(), &choices}, refusal);
    ASSERT_TRUE(kernel) << refusal;
    const KernelResults found = KernelRun(*provider.bench, *kernel, node, kFloat32, wanted).step(values, {});

    for (std::int64_t c = 0; c < channels; ++c) {
        const Moments right = exact(c);
        const auto at = static_cast<std::size_t>(c);
        EXPECT_NEAR(found.states[0][at], right.mean, 1e-6 * right.mean) << "channel " << c;
        EXPECT_NEAR(found.states[1][at], right.variance, 1e-5 * right.variance) << "channel " << c;
    }
}

// The loops work on 64 elements, which are four vectors. 16 and 64 channels divide them, 3 and 21 do not, and 70 are
// more.
INSTANTIATE_TEST_SUITE_P(BatchNorm, Statistics,
                         testing::Combine(testing::Values("onednn", "reference"), testing::Values(3, 16, 21, 64, 70)),
                         [](const auto& test) {
                             return std::get<0>(test.param) + ("_" + std::to_string(std::get<1>(test.param)));
                         });

}  // namespace
