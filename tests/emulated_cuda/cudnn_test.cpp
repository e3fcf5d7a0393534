// The stand-in for cuDNN computes a small convolution, and refuses what cuDNN refuses.
#include <numeric>
#include <span>

#include "cudnn.h"
#include "gpu_test.hpp"

namespace emulated::test {
namespace {

class Part {
public:
    explicit Part(cudnnBackendDescriptorType_t type) { cudnnBackendCreateDescriptor(type, &handle_); }
    Part(Part&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    ~Part() { cudnnBackendDestroyDescriptor(handle_); }

    cudnnStatus_t set(cudnnBackendAttributeName_t name, const std::vector<std::int64_t>& values) {
        return cudnnBackendSetAttribute(handle_, name, CUDNN_TYPE_INT64, static_cast<std::int64_t>(values.size()),
                                        values.data());
    }
    template <class T>
    cudnnStatus_t set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, T value) {
        return cudnnBackendSetAttribute(handle_, name, type, 1, &value);
    }
    cudnnStatus_t set(cudnnBackendAttributeName_t name, const Part& part) {
        return cudnnBackendSetAttribute(handle_, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &part.handle_);
    }
    cudnnStatus_t set(cudnnBackendAttributeName_t name, const std::vector<cudnnBackendDescriptor_t>& parts) {
        return cudnnBackendSetAttribute(handle_, name, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                        static_cast<std::int64_t>(parts.size()), parts.data());
    }
    cudnnStatus_t finalize() { return cudnnBackendFinalize(handle_); }
    [[nodiscard]] std::int64_t integer(cudnnBackendAttributeName_t name) const {
        std::int64_t value = -1;
        cudnnBackendGetAttribute(handle_, name, CUDNN_TYPE_INT64, 1, nullptr, &value);
        return value;
    }
    [[nodiscard]] cudnnBackendDescriptor_t native() const { return handle_; }

private:
    cudnnBackendDescriptor_t handle_ = nullptr;
};

enum : std::int64_t { kX = 1, kW, kY, kBias, kSum, kShifted };
using Numbers = std::vector<std::int64_t>;

Part make_tensor(std::int64_t id, const Numbers& dims, bool is_virtual = false) {
    Part tensor(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    tensor.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, Numbers{id});
    tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    tensor.set(CUDNN_ATTR_TENSOR_DIMENSIONS, dims);
    tensor.set(CUDNN_ATTR_TENSOR_STRIDES, Numbers{dims[1] * dims[2] * dims[3], 1, dims[3] * dims[1], dims[1]});
    tensor.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, Numbers{16});
    tensor.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, is_virtual);
    EXPECT_EQ(tensor.finalize(), CUDNN_STATUS_SUCCESS);
    return tensor;
}

Part make_shape(const Numbers& before) {
    Part shape(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    shape.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, Numbers{2});
    shape.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    shape.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, CUDNN_CROSS_CORRELATION);
    shape.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, before);
    shape.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, Numbers{0, 0});
    shape.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, Numbers{1, 1});
    shape.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, Numbers{1, 1});
    EXPECT_EQ(shape.finalize(), CUDNN_STATUS_SUCCESS);
    return shape;
}

// x: 1x1x3x3, w: 1x1x2x2.
Part make_convolution(const Part& y) {
    const Part x = make_tensor(kX, {1, 1, 3, 3});
    const Part w = make_tensor(kW, {1, 1, 2, 2});
    const Part shape = make_shape({0, 0});
    Part operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, x);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, w);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, y);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, shape);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, 1.0F);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, 0.0F);
    return operation;
}

Part make_pointwise(cudnnPointwiseMode_t mode, const Part& from, const Part* operand, const Part& to) {
    Part shape(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    shape.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode);
    shape.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    shape.finalize();
    Part operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, shape);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, from);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, to);
    if (operand != nullptr) {
        operation.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, *operand);
    }
    EXPECT_EQ(operation.finalize(), CUDNN_STATUS_SUCCESS);
    return operation;
}

class Dnn : public GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        ASSERT_EQ(cudnnCreate(&handle), CUDNN_STATUS_SUCCESS);
        cudnnSetStream(handle, stream);
        const std::vector<float> image{1, 2, 3, 4, 5, 6, 7, 8, 9};
        const std::vector<float> kernel{1, 0, 0, -1};
        const float shift = 4.5F;
        cudaMemcpy(x.data(), image.data(), 9 * sizeof(float), cudaMemcpyDefault);
        cudaMemcpy(w.data(), kernel.data(), 4 * sizeof(float), cudaMemcpyDefault);
        cudaMemcpy(bias.data(), &shift, sizeof(float), cudaMemcpyDefault);
    }
    void TearDown() override {
        cudnnDestroy(handle);
        GpuTest::TearDown();
    }

    Part make_graph(const std::vector<cudnnBackendDescriptor_t>& operations) const {
        Part graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
        graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operations);
        graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle);
        return graph;
    }
    Part make_plain_graph() const {
        const Part result = make_tensor(kY, {1, 1, 2, 2});
        Part operation = make_convolution(result);
        EXPECT_EQ(operation.finalize(), CUDNN_STATUS_SUCCESS);
        Part graph = make_graph({operation.native()});
        EXPECT_EQ(graph.finalize(), CUDNN_STATUS_SUCCESS);
        return graph;
    }
    // y = relu(convolution + bias)
    Part make_fused_graph() const {
        const Part sum = make_tensor(kSum, {1, 1, 2, 2}, true);
        const Part shifted = make_tensor(kShifted, {1, 1, 2, 2}, true);
        const Part result = make_tensor(kY, {1, 1, 2, 2});
        const Part shift = make_tensor(kBias, {1, 1, 1, 1});
        Part convolution = make_convolution(sum);
        EXPECT_EQ(convolution.finalize(), CUDNN_STATUS_SUCCESS);
        const Part add = make_pointwise(CUDNN_POINTWISE_ADD, sum, &shift, shifted);
        const Part relu = make_pointwise(CUDNN_POINTWISE_RELU_FWD, shifted, nullptr, result);
        Part graph = make_graph({convolution.native(), add.native(), relu.native()});
        EXPECT_EQ(graph.finalize(), CUDNN_STATUS_SUCCESS);
        return graph;
    }
    Part make_engine(const Part& graph, std::int64_t index) const {
        Part engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
        engine.set(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph);
        engine.set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, Numbers{index});
        return engine;
    }
    Part make_plan(const Part& graph, std::int64_t index) const {
        Part engine = make_engine(graph, index);
        EXPECT_EQ(engine.finalize(), CUDNN_STATUS_SUCCESS);
        Part configuration(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
        configuration.set(CUDNN_ATTR_ENGINECFG_ENGINE, engine);
        EXPECT_EQ(configuration.finalize(), CUDNN_STATUS_SUCCESS);
        Part plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
        plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration);
        EXPECT_EQ(plan.finalize(), CUDNN_STATUS_SUCCESS);
        return plan;
    }
    cudnnStatus_t run(const Part& plan, const Numbers& ids, const std::vector<void*>& pointers, void* workspace) const {
        Part pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
        pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, ids);
        cudnnBackendSetAttribute(pack.native(), CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
                                 static_cast<std::int64_t>(pointers.size()), pointers.data());
        pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace);
        const cudnnStatus_t status = pack.finalize();
        return status == CUDNN_STATUS_SUCCESS ? cudnnBackendExecute(handle, plan.native(), pack.native()) : status;
    }

    cudnnHandle_t handle = nullptr;
    DeviceArray<float> x{9};
    DeviceArray<float> w{4};
    DeviceArray<float> y{4};
    DeviceArray<float> bias{1};
    DeviceArray<float> scratch{4};
};

TEST_F(Dnn, engines_compute_a_convolution_with_the_workspace_that_they_ask_for) {
    const Part graph = make_plain_graph();
    for (const std::int64_t engine : {0, 1}) {
        const Part plan = make_plan(graph, engine);
        EXPECT_EQ(plan.integer(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE), engine == 0 ? 0 : 16);
        ASSERT_EQ(run(plan, {kX, kW, kY}, {x.data(), w.data(), y.data()}, engine == 0 ? nullptr : scratch.data()),
                  CUDNN_STATUS_SUCCESS);
        cudaStreamSynchronize(stream);
        EXPECT_EQ(y.read(), (std::vector<float>{-4, -4, -4, -4}));
    }
}

TEST_F(Dnn, only_the_fused_engine_computes_operations_on_elements) {
    const Part graph = make_fused_graph();
    EXPECT_EQ(make_engine(graph, 0).finalize(), CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN);
    const Part plan = make_plan(graph, 3);
    ASSERT_EQ(run(plan, {kX, kW, kY, kBias}, {x.data(), w.data(), y.data(), bias.data()}, nullptr),
              CUDNN_STATUS_SUCCESS);
    cudaStreamSynchronize(stream);
    EXPECT_EQ(y.read(), (std::vector<float>{0.5F, 0.5F, 0.5F, 0.5F}));
    EXPECT_EQ(make_engine(make_plain_graph(), 3).finalize(), CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN);
}

TEST_F(Dnn, heuristics_tell_engines_with_their_knobs) {
    const Part graph = make_plain_graph();
    Part heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, CUDNN_HEUR_MODE_A);
    ASSERT_EQ(heuristics.finalize(), CUDNN_STATUS_SUCCESS);
    std::int64_t count = 0;
    cudnnBackendGetAttribute(heuristics.native(), CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0,
                             &count, nullptr);
    EXPECT_EQ(count, 2);
    const Part first(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    const Part engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    const Part knob(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
    const auto read = [](const Part& from, cudnnBackendAttributeName_t name, const Part& to) {
        cudnnBackendDescriptor_t into = to.native();
        return cudnnBackendGetAttribute(from.native(), name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, nullptr, &into);
    };
    EXPECT_EQ(read(heuristics, CUDNN_ATTR_ENGINEHEUR_RESULTS, knob), CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE);
    ASSERT_EQ(read(heuristics, CUDNN_ATTR_ENGINEHEUR_RESULTS, first), CUDNN_STATUS_SUCCESS);
    ASSERT_EQ(read(first, CUDNN_ATTR_ENGINECFG_ENGINE, engine), CUDNN_STATUS_SUCCESS);
    EXPECT_EQ(engine.integer(CUDNN_ATTR_ENGINE_GLOBAL_INDEX), 1);
    ASSERT_EQ(read(first, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, knob), CUDNN_STATUS_SUCCESS);
    EXPECT_EQ(knob.integer(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE), 2);
}

TEST_F(Dnn, parts_that_do_not_fit_are_refused) {
    const Part wide = make_tensor(kY, {1, 1, 2, 3});
    EXPECT_EQ(make_convolution(wide).finalize(), CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH);

    const Part result = make_tensor(kY, {1, 1, 2, 2});
    Part convolution = make_convolution(result);
    EXPECT_EQ(make_graph({convolution.native()}).finalize(), CUDNN_STATUS_BAD_PARAM)
        << "the convolution was not finalized";
    EXPECT_EQ(convolution.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_DOUBLE, 1.0),
              CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE);
    EXPECT_EQ(convolution.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, result),
              CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE);
    EXPECT_EQ(convolution.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, Numbers{1}), CUDNN_STATUS_BAD_PARAM);
    ASSERT_EQ(convolution.finalize(), CUDNN_STATUS_SUCCESS);
    EXPECT_EQ(convolution.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, 2.0F),
              CUDNN_STATUS_BAD_PARAM)
        << "the convolution was finalized";
    EXPECT_EQ(Part(CUDNN_BACKEND_TENSOR_DESCRIPTOR).finalize(), CUDNN_STATUS_BAD_PARAM) << "nothing was set";
}

TEST_F(Dnn, result_that_is_not_in_memory_makes_no_graph) {
    const Part sum = make_tensor(kSum, {1, 1, 2, 2}, true);
    Part convolution = make_convolution(sum);
    ASSERT_EQ(convolution.finalize(), CUDNN_STATUS_SUCCESS);
    EXPECT_EQ(make_graph({convolution.native()}).finalize(), CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN);
}

TEST_F(Dnn, memory_of_a_run_is_checked) {
    const Part plan = make_plan(make_plain_graph(), 1);
    const Numbers ids{kX, kW, kY};
    float host = 0;
    EXPECT_EQ(run(plan, ids, {x.data(), w.data(), y.data()}, nullptr), CUDNN_STATUS_BAD_PARAM_NULL_POINTER);
    EXPECT_EQ(run(plan, ids, {x.data(), w.data() + 1, y.data()}, scratch.data()),
              CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER);
    EXPECT_EQ(run(plan, {kX, kW}, {x.data(), w.data()}, scratch.data()), CUDNN_STATUS_BAD_PARAM);
    EXPECT_EQ(run(plan, {kX, kW, kW}, {x.data(), w.data(), y.data()}, scratch.data()),
              CUDNN_STATUS_BAD_PARAM_DUPLICATED_ENTRIES);
    EXPECT_EQ(run(plan, ids, {bias.data(), w.data(), y.data()}, scratch.data()), CUDNN_STATUS_BAD_PARAM)
        << "the block is too small for x";
    EXPECT_EQ(run(plan, ids, {x.data(), w.data(), y.data()}, bias.data()), CUDNN_STATUS_BAD_PARAM)
        << "the block is too small for the workspace";
    EXPECT_NE(run(plan, ids, {&host, w.data(), y.data()}, scratch.data()), CUDNN_STATUS_SUCCESS);
}

}  // namespace
}  // namespace emulated::test
