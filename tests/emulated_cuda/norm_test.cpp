// Statistics that batch_norm computes of numbers far from 0, for which float32 has few digits.
#include <algorithm>
#include <cmath>
#include <functional>

#include "gpu_test.hpp"
#include "norms/batch_totals.hpp"
#include "norms/passes.hpp"

namespace sluice::cudnn {
namespace {

constexpr std::size_t kRows = 5000;
constexpr std::size_t kNormChannels = 24;

Tiles tiles_of(std::size_t rows) {
    return statistics_tiles<float>(
        {.samples = 1, .rows = static_cast<std::int64_t>(rows), .channels = std::int64_t{kNormChannels}});
}

class BatchStatistics : public emulated::test::GpuTest {
protected:
    // The statistics of one channel. Each channel has the numbers that `fill` gives.
    struct Found {
        double mean;
        double deviation;
    };
    template <class Fill>
    Found of(const Fill& fill) {
        return found_by([&](const BatchNumbers& numbers, const BatchTables& to) {
            with_moments(fill, 0, kRows, [&](const Tiles& tiles, const float* moments) {
                launch_batch_tables(stream, tiles, moments, numbers, to);
            });
        });
    }
    // Returns the same from two replicas, one of which has the rows up to `cut`.
    template <class Fill>
    Found of_two(const Fill& fill, std::size_t cut) {
        std::vector<double> all(joint_count(kNormChannels));
        const emulated::test::DeviceArray<double> joint(all.size());
        for (const auto& [begin, end] : {std::pair{std::size_t{0}, cut}, std::pair{cut, kRows}}) {
            with_moments(fill, begin, end, [&](const Tiles& tiles, const float* moments) {
                launch_joint_moments(stream, tiles, moments, joint.data());
            });
            const std::vector<double> own = joint.read();
            std::transform(all.begin(), all.end(), own.begin(), all.begin(), std::plus<>());
        }
        cudaMemcpy(joint.data(), all.data(), all.size() * sizeof(double), cudaMemcpyDefault);
        return found_by([&](const BatchNumbers& numbers, const BatchTables& to) {
            launch_batch_tables_of_joint(stream, tiles_of(cut), joint.data(), numbers, to);
        });
    }

    // Returns factor, shift, mean and 1 / deviation, running mean and variance, for gamma 2 and beta 1.
    std::vector<float> tables_of_sums(const std::vector<float>& sums) {
        const emulated::test::DeviceArray<float> given(sums.size());
        const emulated::test::DeviceArray<float> tables(8 * kNormChannels);
        std::vector<float> start(8 * kNormChannels, 0.0F);
        std::fill(start.begin() + 6 * kNormChannels, start.begin() + 7 * kNormChannels, 2.0F);
        std::fill(start.begin() + 7 * kNormChannels, start.end(), 1.0F);
        cudaMemcpy(given.data(), sums.data(), sums.size() * sizeof(float), cudaMemcpyDefault);
        cudaMemcpy(tables.data(), start.data(), start.size() * sizeof(float), cudaMemcpyDefault);
        const auto table = [&](std::size_t i) { return tables.data() + i * kNormChannels; };
        launch_batch_tables_of_sums(stream, tiles_of(kRows), given.data(),
                                    {table(6), table(7), table(4), table(5), kEpsilon, 0.9},
                                    {table(0), table(1), table(2), table(3)});
        cudaStreamSynchronize(stream);
        return tables.read();
    }
    static constexpr float kEpsilon = 1e-5F;

private:
    // Calls use(tiles, moments) for those rows.
    template <class Fill, class Use>
    void with_moments(const Fill& fill, std::size_t begin, std::size_t end, const Use& use) {
        std::vector<float> numbers((end - begin) * kNormChannels);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            numbers[i] = fill(begin + i / kNormChannels, i % kNormChannels);
        }
        const Tiles tiles = tiles_of(end - begin);
        const emulated::test::DeviceArray<float> x(numbers.size());
        const emulated::test::DeviceArray<float> moments(tiles.sums_bytes() / sizeof(float));
        cudaMemcpy(x.data(), numbers.data(), numbers.size() * sizeof(float), cudaMemcpyDefault);
        launch_statistics(stream, tiles, static_cast<const float*>(x.data()), moments.data());
        use(tiles, moments.data());
        cudaStreamSynchronize(stream);
    }

    template <class Make>
    Found found_by(const Make& make) {
        const emulated::test::DeviceArray<float> tables(8 * kNormChannels);
        cudaMemset(tables.data(), 0, 8 * kNormChannels * sizeof(float));
        const auto table = [&](std::size_t i) { return tables.data() + i * kNormChannels; };
        make(BatchNumbers{table(0), table(1), table(2), table(3), 0.0, 0.9},
             BatchTables{table(4), table(5), table(6), table(7)});
        cudaStreamSynchronize(stream);
        const std::vector<float> all = tables.read();
        return {all[6 * kNormChannels + 5], 1.0 / all[7 * kNormChannels + 5]};
    }
};

// The sums are in the form in which cuDNN writes them.
TEST_F(BatchStatistics, of_sums_are_those_of_the_numbers) {
    const float mean = 3.5F;
    const float deviation = 0.25F;
    std::vector<float> sums(2 * kNormChannels);
    for (std::size_t c = 0; c < kNormChannels; ++c) {
        sums[c] = kRows * mean;
        sums[kNormChannels + c] = kRows * (mean * mean + (c == 6 ? -1.0F : deviation * deviation));
    }
    const std::vector<float> tables = tables_of_sums(sums);
    EXPECT_NEAR(tables[2 * kNormChannels + 5], mean, 1e-6);
    EXPECT_NEAR(tables[3 * kNormChannels + 5], 1.0F / deviation, 1e-2);
    EXPECT_NEAR(tables[5], 2.0F / deviation, 1e-3);
    EXPECT_NEAR(tables[kNormChannels + 5], 1.0F - mean * 2.0F / deviation, 1e-2);
    EXPECT_NEAR(tables[4 * kNormChannels + 5], 0.1F * mean, 1e-5);  // momentum 0.9, from 0
    EXPECT_NEAR(tables[5 * kNormChannels + 5], 0.1F * deviation * deviation * kRows / (kRows - 1.0F), 1e-5);
    // A variance that rounding has made negative counts as 0.
    EXPECT_NEAR(tables[3 * kNormChannels + 6], 1.0F / std::sqrt(kEpsilon), 1e-2);
}

TEST_F(BatchStatistics, keep_their_digits_if_the_mean_is_large) {
    const auto fill = [](std::size_t row, std::size_t) { return 4096.0F + (row % 2 == 0 ? -1.0F : 1.0F); };
    for (const Found& found : {of(fill), of_two(fill, 1801), of_two(fill, 1)}) {
        EXPECT_NEAR(found.mean, 4096.0, 1e-3);
        EXPECT_NEAR(found.deviation, 1.0, 1e-5);
    }
}

TEST_F(BatchStatistics, keep_their_digits_if_the_first_number_is_far_from_the_others) {
    const Found found =
        of([](std::size_t row, std::size_t) { return row == 0 ? 1e4F : (row % 2 == 0 ? -1.0F : 1.0F); });
    constexpr double kMean = (1e4 + 2500.0 - 2499.0) / kRows;
    const double squares = 1e8 + 4999.0 - kRows * kMean * kMean;
    EXPECT_NEAR(found.mean, kMean, 1e-4);
    EXPECT_NEAR(found.deviation / std::sqrt(squares / kRows), 1.0, 1e-5);
}

}  // namespace
}  // namespace sluice::cudnn
