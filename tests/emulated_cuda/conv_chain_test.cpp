// A convolution and the batch_norm after it in one kernel. The numbers are the same whether cuDNN computes the sums
// with the convolution or a pass of our own does.
#include <algorithm>
#include <array>
#include <cmath>
#include <list>
#include <string>

#include "device_tensor.hpp"
#include "engines.hpp"
#include "gpu_test.hpp"
#include "kernels/kernels.hpp"
#include "option_values.hpp"
#include "planner_memory.hpp"

namespace sluice::cudnn {
namespace {

using emulated::test::spec;
using emulated::test::Tensor;
using Values = std::vector<float>;

// conv2d of 3x3 taps with bias, and batch_norm, in float16. Parameter: whether batch_norm is synchronized.
class ConvolutionAndNorm : public emulated::test::GpuTest, public testing::WithParamInterface<bool> {
protected:
    ConvolutionAndNorm() {
        options_ = {table(of_convolution_), table(of_norm_)};
        nodes_[0] = node("conv2d", 0, x_, parameters_.data());
        nodes_[1] = node("batch_norm", 1, y_, parameters_.data() + 2);
        nodes_[1].states = parameters_.data() + 2;
        nodes_[1].state_count = 2;
        nodes_[1].chained_input = 0;
    }
    void TearDown() override {
        emulated::dnn::trials() = {};
        GpuTest::TearDown();
    }

    struct Results {
        std::string note;
        std::vector<Values> tensors;  // output and gradient of the input, states, gradients of parameters
    };
    static constexpr std::size_t kBiasGradient = 5;

    Results step() {
        Memory memory(true);
        Planner planner({});
        const std::array<const sluice_node*, 2> chain{nodes_.data(), &nodes_[1]};
        const KernelPtr kernel = make_conv_chain({sdk::Chain(chain.data(), 2), memory.sink(), planner});
        std::list<Tensor> tensors;
        std::array<const void*, 6> read{};
        std::array<void*, 12> written{};
        const std::array<sluice_tensor_spec, 6> from{
            x_, y_, parameters_[0], parameters_[1], parameters_[2], parameters_[3]};
        for (std::size_t i = 0; i < from.size(); ++i) {
            read[i] = tensors.emplace_back(from[i], static_cast<float>(i)).data();
        }
        std::list<Tensor> results;
        const std::array<sluice_tensor_spec, 8> to{
            y_, x_, parameters_[2], parameters_[3], parameters_[0], parameters_[1], parameters_[2], parameters_[3]};
        for (std::size_t i = 0; i < to.size(); ++i) {
            written[i] = results.emplace_back(to[i], 8.0F).data();
        }
        std::list<emulated::test::DeviceArray<std::byte>> blocks;
        std::vector<void*> saved;
        for (const std::uint64_t bytes : memory.saved) {
            saved.push_back(blocks.emplace_back(bytes).data());
        }
        sluice_launch launch{};
        launch.inputs = read.data();
        launch.output_gradients = read.data() + 1;
        launch.parameters = read.data() + 2;
        launch.outputs = written.data();
        launch.input_gradients = written.data() + 1;
        launch.states = written.data() + 2;
        launch.parameter_gradients = written.data() + 4;
        launch.saved = saved.data();
        launch.workspace = blocks.emplace_back(memory.workspace).data();
        launch.stream = stream;
        kernel->forward(launch);
        kernel->backward(launch);
        EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        Results found{memory.note, {}};
        std::transform(results.begin(), results.end(), std::back_inserter(found.tensors),
                       [](const Tensor& tensor) { return tensor.read(); });
        return found;
    }

private:
    sluice_node node(std::string_view type, std::size_t index, const sluice_tensor_spec& input,
                     const sluice_tensor_spec* parameters) const {
        sluice_node made{};
        made.type = sdk::text_of(type);
        made.options = &options_[index];
        made.inputs = &input;
        made.outputs = &y_;
        made.parameters = parameters;
        made.input_count = made.output_count = 1;
        made.parameter_count = 2;
        made.wanted_gradients = 1;
        made.chained_input = -1;
        made.flags = SLUICE_NODE_TRAIN;
        return made;
    }

    std::array<sluice_pair, 5> of_convolution_ = convolution_options(3, "same");
    std::array<sluice_pair, 3> of_norm_ = norm_options(1e-3, 0.5, GetParam());
    std::array<sluice_value, 2> options_{};
    sluice_tensor_spec x_ = spec(sdk::kFloat16, {2, 6, 5, 8});
    sluice_tensor_spec y_ = spec(sdk::kFloat16, {2, 6, 5, 16});
    // Kernels and bias, gamma and beta.
    std::array<sluice_tensor_spec, 4> parameters_{spec(sdk::kFloat32, {16, 3, 3, 8}), spec(sdk::kFloat32, {16}),
                                                  spec(sdk::kFloat32, {16}), spec(sdk::kFloat32, {16})};
    std::array<sluice_node, 2> nodes_{};
};

TEST_P(ConvolutionAndNorm, give_the_same_with_sums_in_the_graph_and_apart) {
    constexpr int kAttempts = 20;  // both are measured, and chance decides which is faster here
    Results together = step();
    for (int i = 1; i < kAttempts && together.note.find(", with sums") == std::string::npos; ++i) {
        together = step();
    }
    emulated::dnn::trials().faults[emulated::dnn::EngineNumber::summing] = emulated::dnn::Fault::executing;
    const Results apart = step();
    EXPECT_NE(together.note.find(", with sums"), std::string::npos) << together.note;
    EXPECT_NE(apart.note.find(", sums apart"), std::string::npos) << apart.note;
    for (std::size_t t = 0; t < together.tensors.size(); ++t) {
        float scale = 1.0F;
        for (std::size_t i = 0; i < together.tensors[t].size(); ++i) {
            scale = std::max(scale, std::abs(apart.tensors[t][i]));
        }
        for (std::size_t i = 0; i < together.tensors[t].size(); ++i) {
            ASSERT_NEAR(together.tensors[t][i], apart.tensors[t][i], 4e-3F * scale) << "tensor " << t << " at " << i;
        }
    }
}

TEST_P(ConvolutionAndNorm, give_the_bias_no_gradient) {
    const Results found = step();
    EXPECT_EQ(found.tensors[kBiasGradient], Values(found.tensors[kBiasGradient].size(), 0.0F));
    const Values& kernels = found.tensors[kBiasGradient - 1];
    EXPECT_TRUE(std::any_of(kernels.begin(), kernels.end(), [](float value) { return std::abs(value) > 0.1F; }));
}

INSTANTIATE_TEST_SUITE_P(OfOneReplica, ConvolutionAndNorm, testing::Bool());

}  // namespace
}  // namespace sluice::cudnn
