// Computes a graph with plain loops on the CPU, when the stream reaches it.
#pragma once

#include <map>

#include "engines.hpp"

namespace emulated::dnn {

// Memory of a graph's tensors by their ids. The caller has made device memory accessible.
using Bindings = std::map<std::int64_t, void*>;

// number: of the run; the result of an engine without a fixed order depends on it. workspace: of workspace_of() bytes.
void compute(const Graph& graph, EngineNumber engine, const Bindings& bindings, void* workspace, unsigned number);

}  // namespace emulated::dnn
