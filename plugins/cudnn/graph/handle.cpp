#include "graph/handle.hpp"

#include "cuda/status.hpp"

namespace sluice::cudnn {

Handle::Handle(int index) : index_(index) {
    select();
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, index), "reading the properties of GPU " + std::to_string(index));
    name_ = properties.name;
    check(cudnnCreate(&handle_), "opening cuDNN");
}

void Handle::select() const { check(cudaSetDevice(index_), "selecting GPU " + std::to_string(index_)); }

Handle::~Handle() { cudnnDestroy(handle_); }

void Handle::bind_graph(Descriptor& graph) const {
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle_);
}

// Heuristics and engines take the GPU from their graph.
void Handle::bind_heuristics(Descriptor& /*heuristics*/) const {}
void Handle::bind_engine(Descriptor& /*engine*/) const {}

void Handle::bind_plan(Descriptor& plan) const {
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, handle_);
}

void Handle::use(void* stream) const {
    check(cudnnSetStream(handle_, static_cast<cudaStream_t>(stream)), "setting cuDNN's stream");
}

}  // namespace sluice::cudnn
