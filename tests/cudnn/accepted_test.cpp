// cuDNN accepts each convolution of the golden pipelines and of ResNet-50, in each direction. It has an engine for each
// that gives the same bits each time.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "described_gpu.hpp"
#include "graph/plan.hpp"

namespace sluice::cudnn {
namespace {

struct Layer {
    std::int64_t channels;
    std::int64_t filters;
    std::int64_t extent;  // height and width of what cuDNN reads
    std::int64_t taps;
    std::int64_t stride = 1;
    std::int64_t before = 0;
    std::int64_t after = 0;
};

ConvProblem problem_of(const Layer& layer, std::int64_t batch, cudnnDataType_t type, Direction direction) {
    const std::int64_t out = (layer.extent + layer.before + layer.after - layer.taps) / layer.stride + 1;
    ConvProblem problem;
    problem.direction = direction;
    problem.image = problem.kernels = type;
    problem.batch = batch;
    problem.channels = layer.channels;
    problem.filters = layer.filters;
    problem.in = {layer.extent, layer.extent};
    problem.out = {out, out};
    problem.taps = {layer.taps, layer.taps};
    problem.stride = {layer.stride, layer.stride};
    problem.before = {layer.before, layer.before};
    problem.after = {layer.after, layer.after};
    return problem;
}

// Returns the engine that is used if nothing is measured; empty: there is none.
std::string first_engine(const ConvProblem& problem, const Target& target) {
    const EngineLimits limits{.deterministic = true, .exact = problem.image == CUDNN_DATA_FLOAT};
    const ConvGraph graph(problem, target);
    for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
        for (const EngineChoice& choice : propose(graph.graph(), target, limits, mode, 16)) {
            const auto plan = ExecutionPlan::make(graph.graph(), target, choice);
            if (plan != nullptr && plan->workspace() <= (std::uint64_t{1} << 30)) {
                return choice.text();
            }
        }
    }
    return "";
}

void expect_accepted(const std::vector<Layer>& layers, std::int64_t batch, cudnnDataType_t type, const Target& target) {
    for (const Layer& layer : layers) {
        for (const Direction direction : {Direction::forward, Direction::backward_data, Direction::backward_weights}) {
            ConvProblem problem = problem_of(layer, batch, type, direction);
            EXPECT_NE(first_engine(problem, target), "") << describe(problem);
        }
    }
}

// The convolutions of deblur.toml and deblur-article.toml. With padding "reflect" cuDNN reads the mirrored copy, in
// which a picture has 4 or 8 channels. With stride 2, 256 pixels are padded only at their end. The last layers appear
// twice, pixel by pixel and in blocks.
const std::vector<Layer> kDeblur = {
    {4, 16, 134, 7}, {8, 16, 134, 7}, {16, 16, 130, 3}, {16, 3, 134, 7}, {16, 48, 134, 10, 4}};
const std::vector<Layer> kArticle = {{4, 64, 262, 7},
                                     {8, 64, 262, 7},
                                     {64, 128, 256, 3, 2, 0, 1},
                                     {128, 256, 128, 3, 2, 0, 1},
                                     {256, 256, 66, 3},
                                     {256, 128, 128, 3, 1, 1, 1},
                                     {128, 64, 256, 3, 1, 1, 1},
                                     {64, 3, 262, 7},
                                     {64, 48, 262, 10, 4},
                                     {128, 256, 128, 4, 2, 1, 1},
                                     {64, 128, 256, 4, 2, 1, 1}};

const std::vector<Layer> kResNet50 = {
    {8, 64, 224, 7, 2, 3, 3},   {64, 64, 56, 1},    {64, 64, 56, 3, 1, 1, 1},   {64, 256, 56, 1},
    {256, 64, 56, 1},           {256, 128, 56, 1},  {128, 128, 56, 3, 2, 1, 1}, {128, 512, 28, 1},
    {256, 512, 56, 1, 2},       {512, 128, 28, 1},  {128, 128, 28, 3, 1, 1, 1}, {512, 256, 28, 1},
    {256, 256, 28, 3, 2, 1, 1}, {256, 1024, 14, 1}, {512, 1024, 28, 1, 2},      {1024, 256, 14, 1},
    {256, 256, 14, 3, 1, 1, 1}, {1024, 512, 14, 1}, {512, 512, 14, 3, 2, 1, 1}, {512, 2048, 7, 1},
    {1024, 2048, 14, 1, 2},     {2048, 512, 7, 1},  {512, 512, 7, 3, 1, 1, 1},  {2048, 1000, 1, 1}};

constexpr cudnnDataType_t kTypes[] = {CUDNN_DATA_FLOAT, CUDNN_DATA_BFLOAT16, CUDNN_DATA_HALF};

TEST(CudnnAccepts, deblur_on_h200_and_a100) {
    for (const cudnnDataType_t type : kTypes) {
        expect_accepted(kDeblur, 8, type, DescribedGpu::h200());
        expect_accepted(kDeblur, 8, type, DescribedGpu::a100());
    }
}

TEST(CudnnAccepts, deblur_article_on_h200) {
    for (const cudnnDataType_t type : kTypes) {
        expect_accepted(kArticle, 8, type, DescribedGpu::h200());
    }
}

TEST(CudnnAccepts, deblur_article_on_a100) {
    for (const cudnnDataType_t type : kTypes) {
        expect_accepted(kArticle, 1, type, DescribedGpu::a100());
    }
}

TEST(CudnnAccepts, resnet50_on_h200_and_a100) {
    for (const cudnnDataType_t type : kTypes) {
        expect_accepted(kResNet50, 128, type, DescribedGpu::h200());
        expect_accepted(kResNet50, 128, type, DescribedGpu::a100());
    }
}

// Layers may have any shape: odd extents, uneven padding, groups, dilation, one channel.
TEST(CudnnAccepts, shapes_that_tensor_cores_do_not_like) {
    ConvProblem grouped = problem_of({8, 12, 6, 3, 1, 1, 1}, 2, CUDNN_DATA_FLOAT, Direction::forward);
    grouped.groups = 4;
    ConvProblem depthwise = problem_of({16, 16, 7, 3, 2, 1, 1}, 1, CUDNN_DATA_FLOAT, Direction::forward);
    depthwise.groups = 16;
    ConvProblem dilated = problem_of({5, 7, 9, 3, 1, 2, 2}, 1, CUDNN_DATA_FLOAT, Direction::forward);
    dilated.dilation = {2, 2};
    dilated.out = {9, 9};
    const ConvProblem uneven = problem_of({3, 5, 11, 4, 3, 2, 1}, 2, CUDNN_DATA_FLOAT, Direction::forward);
    const ConvProblem single = problem_of({1, 1, 12, 7}, 1, CUDNN_DATA_FLOAT, Direction::forward);
    const DescribedGpu gpu = DescribedGpu::h200();
    for (ConvProblem problem : {grouped, depthwise, dilated, uneven, single}) {
        for (const Direction direction : {Direction::forward, Direction::backward_data, Direction::backward_weights}) {
            for (const cudnnDataType_t type : kTypes) {
                problem.direction = direction;
                problem.image = problem.kernels = type;
                EXPECT_NE(first_engine(problem, gpu), "") << describe(problem);
            }
        }
    }
}

TEST(CudnnAccepts, input_gradients_that_are_added) {
    for (const cudnnDataType_t type : kTypes) {
        ConvProblem problem = problem_of({64, 64, 32, 3, 1, 1, 1}, 4, type, Direction::backward_data);
        problem.add = true;
        EXPECT_NE(first_engine(problem, DescribedGpu::h200()), "") << describe(problem);
    }
}

// cuDNN compiles these engines at run time. The bias must have the image's type and come after forward.
TEST(CudnnAccepts, a_bias_and_a_relu_in_the_graph) {
    for (const cudnnDataType_t type : kTypes) {
        for (const Layer& layer : {Layer{256, 256, 66, 3}, Layer{64, 128, 256, 3, 2, 0, 1}, Layer{2048, 1000, 1, 1}}) {
            ConvProblem problem = problem_of(layer, 8, type, Direction::forward);
            problem.bias = true;
            EXPECT_NE(first_engine(problem, DescribedGpu::h200()), "") << describe(problem);
            problem.relu = true;
            EXPECT_NE(first_engine(problem, DescribedGpu::h200()), "") << describe(problem);
        }
    }
}

// This is why the planner does not ask for such an engine.
TEST(CudnnRefuses, a_bias_after_backward) {
    for (const cudnnDataType_t type : kTypes) {
        ConvProblem problem = problem_of({128, 256, 128, 4, 2, 1, 1}, 8, type, Direction::backward_data);
        problem.bias = true;
        EXPECT_EQ(first_engine(problem, DescribedGpu::h200()), "") << describe(problem);
    }
}

ConvProblem with_sums(const Layer& layer, cudnnDataType_t type) {
    ConvProblem problem = problem_of(layer, 8, type, Direction::forward);
    problem.sums = true;
    return problem;
}

void expect_sums(const Target& target) {
    constexpr std::int64_t kMostTaps = 32;
    for (const Layer& layer : kResNet50) {
        if (layer.taps * layer.taps <= kMostTaps) {
            const ConvProblem problem = with_sums(layer, CUDNN_DATA_HALF);
            EXPECT_NE(first_engine(problem, target), "") << describe(problem);
        }
    }
    EXPECT_NE(first_engine(with_sums({24, 40, 17, 5, 2, 2, 2}, CUDNN_DATA_HALF), target), "");
    // These two are a picture with added channels of zeros, and a mirrored image.
    EXPECT_NE(first_engine(with_sums({8, 64, 224, 3, 1, 1, 1}, CUDNN_DATA_HALF), target), "");
    EXPECT_NE(first_engine(with_sums({256, 256, 66, 3, 1, 0, 0}, CUDNN_DATA_HALF), target), "");
}

TEST(CudnnAccepts, sums_of_channels_in_float16_on_h200_and_a100) {
    expect_sums(DescribedGpu::h200());
    expect_sums(DescribedGpu::a100());
}

// This is why may_have_sums() of conv/geometry.hpp excludes these convolutions.
TEST(CudnnRefuses, sums_of_channels_of_other_types_and_shapes) {
    const DescribedGpu gpu = DescribedGpu::h200();
    EXPECT_EQ(first_engine(with_sums({64, 64, 56, 3, 1, 1, 1}, CUDNN_DATA_BFLOAT16), gpu), "");
    EXPECT_EQ(first_engine(with_sums({64, 64, 56, 3, 1, 1, 1}, CUDNN_DATA_FLOAT), gpu), "");
    EXPECT_EQ(first_engine(with_sums({3, 64, 56, 3, 1, 1, 1}, CUDNN_DATA_HALF), gpu), "");
    EXPECT_EQ(first_engine(with_sums({64, 44, 56, 3, 1, 1, 1}, CUDNN_DATA_HALF), gpu), "");
    EXPECT_EQ(first_engine(with_sums({64, 64, 56, 7, 1, 3, 3}, CUDNN_DATA_HALF), gpu), "");
    EXPECT_EQ(first_engine(with_sums({64, 128, 56, 3, 2, 0, 1}, CUDNN_DATA_HALF), gpu), "");
}

// This is why gradients of kernels go through the workspace in 16 bits.
TEST(CudnnRefuses, float32_gradients_of_kernels_from_16_bits) {
    ConvProblem problem = problem_of({64, 64, 32, 3, 1, 1, 1}, 4, CUDNN_DATA_BFLOAT16, Direction::backward_weights);
    problem.kernels = CUDNN_DATA_FLOAT;
    EXPECT_EQ(first_engine(problem, DescribedGpu::h200()), "");
}

}  // namespace
}  // namespace sluice::cudnn
