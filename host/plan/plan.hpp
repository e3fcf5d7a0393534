// The plan: what will happen in one step, fixed and printable before a byte is allocated. Made once per batch shape and
// mode; plans of one pipeline share parameters by their index.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plan/graph.hpp"

namespace sluice::plan {

inline constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

// One chain of nodes on one kernel. Arrays run as in sluice_launch; offsets are into the arena.
struct Step {
    registry::Kernel kernel;
    std::vector<std::size_t> nodes;
    std::vector<TensorId> inputs;
    std::vector<TensorId> outputs;
    std::vector<std::size_t> parameters;
    std::vector<std::size_t> states;
    std::vector<bool> input_gradients;  // wanted, for each input
    bool has_backward = false;
    std::uint64_t random_stream = 0;
    std::vector<std::uint64_t> saved;  // offsets
    std::uint64_t forward_workspace = kNowhere;
    std::uint64_t backward_workspace = kNowhere;
    std::string refusals;  // why providers before the chosen one did not take it
};

// Where each tensor lives in the arena, by tensor id; kNowhere: it never exists.
struct Memory {
    std::vector<std::uint64_t> tensors;
    std::vector<std::uint64_t> gradients;
    std::uint64_t arena_bytes = 0;
    std::uint64_t without_reuse_bytes = 0;  // what it would be if nothing shared memory
};

// Offsets in the flat float32 buffers, in elements. Parameters lie in reverse layer order, so that backward fills the
// gradient buffer from its start.
struct Layout {
    std::vector<std::uint64_t> parameters;
    std::uint64_t parameter_count = 0;  // elements, padding included
    std::vector<std::uint64_t> states;
    std::uint64_t state_count = 0;
};

struct Plan {
    Graph graph;
    std::vector<Step> steps;  // in forward order
    Memory memory;
    Layout layout;
    std::int64_t batch = 0;
};

// `fields` are those of the data, [N, ...] each and without -1; `threads` those of the replica, to measure kernels
// with.
Plan make_plan(const config::PipelineSpec& spec, const Toolbox& tools, std::span<const registry::Field> fields,
               Mode mode, const sluice_threads* threads);

// The passes, in the order in which make_plan runs them.
Layout lay_out_parameters(const Graph& graph);
std::vector<Step> choose_kernels(const Graph& graph, const Toolbox& tools, const sluice_threads* threads);
Memory lay_out_memory(const Graph& graph, std::vector<Step>& steps);

// Trained numbers of the graph.
std::int64_t parameter_total(const Graph& graph);
double flops_total(const Graph& graph);

}  // namespace sluice::plan
