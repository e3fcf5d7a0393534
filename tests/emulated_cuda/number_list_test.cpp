// Lists of an option's numbers on the device, also lists that are too long for the arguments of a launch.
#include <numeric>

#include "gpu_test.hpp"
#include "kernels/class_labels.cuh"

namespace sluice::cudnn {
namespace {

class NumberLists : public emulated::test::GpuTest {};

TEST_F(NumberLists, arrive_whole_whatever_their_length) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{512}, std::size_t{513}, std::size_t{1300}}) {
        std::vector<double> numbers(count);
        std::iota(numbers.begin(), numbers.end(), 0.5);
        const NumberList list(numbers);
        ASSERT_EQ(list.bytes(), count * sizeof(float));
        const emulated::test::DeviceArray<float> to(count + 1);
        cudaMemset(to.data(), 0, (count + 1) * sizeof(float));
        EXPECT_EQ(list.write(to.data(), stream), to.data());
        cudaStreamSynchronize(stream);
        const std::vector<float> found = to.read();
        EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), found.begin())) << count;
        EXPECT_EQ(found[count], 0.0F) << "written past the end of " << count;
    }
}

TEST_F(NumberLists, are_null_if_there_are_none) {
    EXPECT_EQ(NumberList().write(nullptr, stream), nullptr);
    EXPECT_EQ(NumberList().bytes(), 0U);
}

}  // namespace
}  // namespace sluice::cudnn
