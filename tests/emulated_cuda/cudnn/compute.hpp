// A graph computed by plain loops on the CPU, when the stream gets there.
#pragma once

#include <map>

#include "engines.hpp"

namespace emulated::dnn {

// Memory of a graph's tensors by their numbers; device memory is open.
using Bindings = std::map<std::int64_t, void*>;

// number: of the run; what an engine does in no fixed order depends on it. workspace: as large as workspace_of() says.
void compute(const Graph& graph, EngineNumber engine, const Bindings& bindings, void* workspace, unsigned number);

}  // namespace emulated::dnn
