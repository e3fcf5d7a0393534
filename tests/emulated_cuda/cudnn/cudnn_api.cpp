// The emulated functions of cuDNN.
#include <algorithm>
#include <cstring>
#include <new>

#include "compute.hpp"
#include "finalize.hpp"
#include "machine.hpp"

struct cudnnContext {
    cudaStream_t stream = nullptr;
};

namespace {

using emulated::machine;
using emulated::dnn::Bindings;
using emulated::dnn::Description;
using emulated::dnn::Descriptor;
using emulated::dnn::EngineNumber;
using emulated::dnn::fail;
using emulated::dnn::Fault;
using emulated::dnn::finalize;
using emulated::dnn::Graph;
using emulated::dnn::Tensor;
using emulated::dnn::trials;
using emulated::dnn::Values;

std::string last_error;

cudnnStatus_t note(cudnnStatus_t status, const std::string& text) {
    last_error = text;
    return status;
}

// Runs body() as a function of cuDNN: exceptions become a status.
template <class Body>
cudnnStatus_t entry(const Body& body) {
    const std::lock_guard lock(machine().mutex);
    try {
        emulated::expect_usable(machine());
        body();
        return CUDNN_STATUS_SUCCESS;
    } catch (const emulated::dnn::Failure& failure) {
        return note(failure.status, failure.text);
    } catch (const emulated::Failure& failure) {
        return note(CUDNN_STATUS_EXECUTION_FAILED, failure.text);
    } catch (const std::bad_alloc&) {
        return note(CUDNN_STATUS_ALLOC_FAILED, "out of memory of the host");
    }
}

template <class T>
T& expect_there(T* pointer, const char* what) {
    if (pointer == nullptr) {
        fail(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, std::string(what) + " is NULL");
    }
    return *pointer;
}

std::shared_ptr<Description>& description_of(cudnnBackendDescriptor_t descriptor) {
    return expect_there(static_cast<Descriptor*>(descriptor), "a descriptor").is;
}

template <class T, class From>
void copy_values(const std::vector<From>& from, std::int64_t room, void* to) {
    for (std::size_t i = 0; i < std::min(from.size(), static_cast<std::size_t>(room)); ++i) {
        static_cast<T*>(to)[i] = static_cast<T>(from[i]);
    }
}

// cuDNN fills descriptors of the right kind that exist already.
void copy_parts(const Values& values, std::int64_t room, void* to) {
    for (std::size_t i = 0; i < std::min(values.parts.size(), static_cast<std::size_t>(room)); ++i) {
        std::shared_ptr<Description>& there = description_of(static_cast<cudnnBackendDescriptor_t*>(to)[i]);
        if (there->kind() != values.parts[i]->kind()) {
            fail(CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE, "a part is read into a descriptor of another kind");
        }
        there = std::const_pointer_cast<Description>(values.parts[i]);  // final: it does not change any more
    }
}

std::int64_t copy_out(const Values& values, std::int64_t room, void* to) {
    switch (values.type) {
        case CUDNN_TYPE_BACKEND_DESCRIPTOR:
            copy_parts(values, room, to);
            return static_cast<std::int64_t>(values.parts.size());
        case CUDNN_TYPE_INT64:
            copy_values<std::int64_t>(values.integers, room, to);
            break;
        case CUDNN_TYPE_BOOLEAN:
            copy_values<bool>(values.integers, room, to);
            break;
        case CUDNN_TYPE_FLOAT:
            copy_values<float>(values.reals, room, to);
            return static_cast<std::int64_t>(values.reals.size());
        case CUDNN_TYPE_DOUBLE:
            copy_values<double>(values.reals, room, to);
            return static_cast<std::int64_t>(values.reals.size());
        case CUDNN_TYPE_HANDLE:
        case CUDNN_TYPE_VOID_PTR:
            copy_values<void*>(values.pointers, room, to);
            return static_cast<std::int64_t>(values.pointers.size());
        default:
            copy_values<std::int32_t>(values.integers, room, to);
    }
    return static_cast<std::int64_t>(values.integers.size());
}

void expect_memory(const void* memory, std::size_t bytes, std::int64_t alignment, const std::string& what) {
    if (memory == nullptr) {
        fail(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, what + " has no memory");
    }
    if (reinterpret_cast<std::uintptr_t>(memory) % static_cast<std::uintptr_t>(alignment) != 0) {
        fail(CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER, what + " is not aligned as its descriptor says");
    }
    if (!machine().memory.is_device(memory) || !machine().memory.holds(memory, bytes)) {
        fail(CUDNN_STATUS_BAD_PARAM, what + " needs " + std::to_string(bytes) + " bytes of device memory");
    }
}

Bindings bind(const Graph& graph, const Description& pack) {
    const std::vector<std::int64_t>& ids = pack.integers(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
    const std::vector<void*>& pointers = pack.pointers(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
    Bindings bindings;
    for (const Tensor& tensor : graph.tensors()) {
        const auto found = std::ranges::find(ids, tensor.id);
        if (found == ids.end()) {
            fail(CUDNN_STATUS_BAD_PARAM, "tensor " + std::to_string(tensor.id) + " has no pointer");
        }
        void* const memory = pointers[static_cast<std::size_t>(found - ids.begin())];
        expect_memory(memory, tensor.bytes(), tensor.alignment, "tensor " + std::to_string(tensor.id));
        bindings[tensor.id] = memory;
    }
    return bindings;
}

void expect_no_fault(EngineNumber engine, const emulated::Stream& stream) {
    const auto fault = trials().faults.find(engine);
    if (fault == trials().faults.end()) {
        return;
    }
    switch (fault->second) {
        case Fault::device_memory:
            fail(CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED, "a test makes the engine find no memory");
        case Fault::host_memory:
            fail(CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED, "a test makes the engine find no memory");
        case Fault::making:
        case Fault::uneven_zeros:
            return;
        case Fault::recording:
            if (stream.recording == nullptr) {
                return;
            }
            [[fallthrough]];
        case Fault::executing:
            fail(CUDNN_STATUS_EXECUTION_FAILED, "a test makes the engine fail");
    }
}

void execute(cudnnContext& context, const Description& plan, const Description& pack) {
    if (!plan.is_final() || !pack.is_final() || plan.kind() != CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR ||
        pack.kind() != CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR) {
        fail(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED, "a plan and a pack, both finalized, are needed");
    }
    const Description& engine = plan.part(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG).part(CUDNN_ATTR_ENGINECFG_ENGINE);
    Graph graph = read_graph(engine.part(CUDNN_ATTR_ENGINE_OPERATION_GRAPH));
    Bindings bindings = bind(graph, pack);
    const auto bytes = static_cast<std::size_t>(plan.integer(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE));
    void* const workspace =
        pack.has(CUDNN_ATTR_VARIANT_PACK_WORKSPACE) ? pack.pointers(CUDNN_ATTR_VARIANT_PACK_WORKSPACE)[0] : nullptr;
    if (bytes > 0) {
        expect_memory(workspace, bytes, 16, "the workspace");
    }
    const auto number = find_engine(engine.integer(CUDNN_ATTR_ENGINE_GLOBAL_INDEX), graph);
    emulated::Stream& stream = machine().streams.get(context.stream);
    expect_no_fault(number, stream);
    ++trials().executed;
    machine().streams.put(stream, [graph = std::move(graph), number, bindings = std::move(bindings), workspace] {
        ++trials().computed;
        emulated::ActivityRecord computed{emulated::kComputed};
        computed.name = "cudnn_engine";
        machine().activities.record(computed,
                                    [&] { compute(graph, number, bindings, workspace, machine().launches++); });
    });
}

}  // namespace

std::size_t cudnnGetVersion() { return CUDNN_VERSION; }

const char* cudnnGetErrorString(cudnnStatus_t status) {
    switch (status) {
        case CUDNN_STATUS_SUCCESS:
            return "CUDNN_STATUS_SUCCESS";
        case CUDNN_STATUS_NOT_INITIALIZED:
            return "CUDNN_STATUS_NOT_INITIALIZED";
        case CUDNN_STATUS_BAD_PARAM:
            return "CUDNN_STATUS_BAD_PARAM";
        case CUDNN_STATUS_BAD_PARAM_NULL_POINTER:
            return "CUDNN_STATUS_BAD_PARAM_NULL_POINTER";
        case CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER:
            return "CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER";
        case CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED:
            return "CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED";
        case CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND:
            return "CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND";
        case CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT:
            return "CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT";
        case CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH:
            return "CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH";
        case CUDNN_STATUS_BAD_PARAM_DUPLICATED_ENTRIES:
            return "CUDNN_STATUS_BAD_PARAM_DUPLICATED_ENTRIES";
        case CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE:
            return "CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE";
        case CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE:
            return "CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE";
        case CUDNN_STATUS_NOT_SUPPORTED:
            return "CUDNN_STATUS_NOT_SUPPORTED";
        case CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN:
            return "CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN";
        case CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED:
            return "CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED";
        case CUDNN_STATUS_ALLOC_FAILED:
            return "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED";
        case CUDNN_STATUS_EXECUTION_FAILED:
            return "CUDNN_STATUS_EXECUTION_FAILED";
    }
    return "an unknown status";
}

void cudnnGetLastErrorString(char* message, std::size_t most) {
    const std::lock_guard lock(machine().mutex);
    const std::size_t length = std::min(last_error.size(), most - 1);
    std::memcpy(message, last_error.data(), length);
    message[length] = '\0';
}

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
    return entry([&] {
        machine().forbid_while_capturing("opening cuDNN");
        expect_there(handle, "a handle") = new cudnnContext;
    });
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
    return entry([&] { delete handle; });
}

cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t* stream) {
    return entry([&] { *stream = expect_there(handle, "the handle").stream; });
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
    return entry([&] {
        machine().streams.get(stream);
        expect_there(handle, "a handle").stream = stream;
    });
}

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t* descriptor) {
    return entry(
        [&] { expect_there(descriptor, "a descriptor") = new Descriptor{std::make_shared<Description>(type)}; });
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor) {
    return entry([&] { delete static_cast<Descriptor*>(descriptor); });
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, std::int64_t count, const void* values) {
    return entry([&] { description_of(descriptor)->set(name, type, count, values); });
}

cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, std::int64_t room, std::int64_t* count,
                                       void* values) {
    return entry([&] {
        const Values* const found = description_of(descriptor)->get(name, type);
        const std::int64_t there = found != nullptr ? copy_out(*found, values != nullptr ? room : 0, values) : 0;
        if (count != nullptr) {
            *count = there;
        }
    });
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor) {
    return entry([&] { finalize(*description_of(descriptor)); });
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan, cudnnBackendDescriptor_t pack) {
    return entry([&] { execute(expect_there(handle, "a handle"), *description_of(plan), *description_of(pack)); });
}
