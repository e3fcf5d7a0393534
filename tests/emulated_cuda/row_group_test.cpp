// Groups of threads find the highest number in rows of any length.
#include "cuda/row_group.cuh"

#include <algorithm>
#include <limits>

#include "gpu_test.hpp"

namespace sluice::cudnn {
namespace {

// Runs in one block. Every thread of a group writes what it found to found [rows, threads].
__global__ void highest_kernel(const float* numbers, std::int64_t rows, std::int64_t count, unsigned threads,
                               std::int64_t* found) {
    const RowGroup group(threads);
    for (std::int64_t first = 0; first < rows; first += group.of_block()) {
        const std::int64_t row = first + group.index();
        const std::int64_t at = highest_of_row(group, numbers + (row < rows ? row : rows - 1) * count, count);
        if (row < rows) {
            found[row * threads + group.rank()] = at;
        }
    }
}

class RowGroups : public emulated::test::GpuTest {
protected:
    void expect_highest(const std::vector<std::vector<float>>& rows) const {
        const std::size_t count = rows.front().size();
        const unsigned threads = threads_for_row(static_cast<std::int64_t>(count));
        std::vector<float> numbers;
        for (const std::vector<float>& row : rows) {
            numbers.insert(numbers.end(), row.begin(), row.end());
        }
        const emulated::test::DeviceArray<float> given(numbers.size());
        const emulated::test::DeviceArray<std::int64_t> found(rows.size() * threads);
        cudaMemcpy(given.data(), numbers.data(), numbers.size() * sizeof(float), cudaMemcpyDefault);
        launch(1, kThreads, highest_kernel, static_cast<const float*>(given.data()), rows.size(), count, threads,
               found.data());
        cudaStreamSynchronize(stream);
        const std::vector<std::int64_t> all = found.read();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::vector<float>& row = rows[i / threads];
            EXPECT_EQ(all[i], std::ranges::max_element(row) - row.begin())
                << "row " << i / threads << " of " << count << " numbers, thread " << i % threads;
        }
    }
};

// The reference kernel uses std::max_element, so the test does, too.
TEST_F(RowGroups, find_the_first_of_the_highest) {
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    constexpr float kLeast = -std::numeric_limits<float>::infinity();
    for (const std::size_t count : {1, 2, 3, 7, 19, 32, 33, 300, 1024, 1025, 1500}) {
        std::vector<std::vector<float>> rows(kThreads / threads_for_row(static_cast<std::int64_t>(count)) + 3);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            for (std::size_t i = 0; i < count; ++i) {
                rows[r].push_back(static_cast<float>((i * 7919 + r * 104729) % 11) - 5.0F);  // many of them equal
            }
        }
        rows[0].assign(count, 0.25F);
        rows[1].assign(count, kLeast);
        rows[1].back() = kNone;
        rows[2].front() = kNone;
        rows[2].back() = 9.0F;
        std::fill(rows[3].begin() + static_cast<std::ptrdiff_t>(count) / 2, rows[3].end(), kNone);
        expect_highest(rows);
    }
}

}  // namespace
}  // namespace sluice::cudnn
