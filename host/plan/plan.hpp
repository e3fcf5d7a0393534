// The plan: what happens in one step, fixed and printable before memory is allocated. There is one plan per batch shape
// and mode; the plans of a pipeline share parameters by index.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plan/buckets.hpp"
#include "plan/graph.hpp"

namespace sluice::plan {

inline constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

// One chain of nodes on one kernel. Arrays have the order of those in sluice_launch; offsets are into the arena.
struct Step {
    registry::Kernel kernel;
    std::vector<std::size_t> nodes;
    std::vector<TensorId> inputs;
    std::vector<TensorId> outputs;
    std::vector<std::size_t> parameters;
    std::vector<std::size_t> states;
    std::vector<bool> input_gradients;  // whether each input's gradient is wanted
    bool has_backward = false;
    std::uint64_t random_stream = 0;
    std::vector<std::uint64_t> saved;  // offsets
    std::uint64_t forward_workspace = kNowhere;
    std::uint64_t backward_workspace = kNowhere;
    // For a second forward during backward. It gets scratch states, because the replica's states change once per step.
    std::vector<std::uint64_t> recomputed_saved;
    std::vector<std::uint64_t> recomputed_states;
    std::uint64_t recompute_workspace = kNowhere;
    std::string refusals;  // why providers before the chosen one refused it
};

// recompute: runs forward again during backward, because its outputs were not kept.
enum class Direction { forward, recompute, backward };

struct Launch {
    Direction direction = Direction::forward;
    std::size_t step = 0;
};

// Offsets in the arena, by tensor id; kNowhere: the tensor never exists.
struct Memory {
    std::vector<std::uint64_t> tensors;
    std::vector<std::uint64_t> recomputed_tensors;  // outputs of a second forward, which backward reads
    std::vector<std::uint64_t> gradients;
    // The tensor whose memory each one uses: itself, or one that it is written over.
    std::vector<TensorId> tensor_storage;
    std::vector<TensorId> gradient_storage;
    std::uint64_t alignment = 64;  // of each offset, in bytes; larger if the device's blocks have a larger one
    std::uint64_t arena_bytes = 0;
    std::uint64_t peak_use_bytes = 0;       // peak of the bytes in use at one time
    std::uint64_t without_reuse_bytes = 0;  // arena size if tensors shared no memory
};

// Offsets in the flat float32 buffers, in elements. Parameters lie in reverse layer order, so that backward fills the
// gradient buffer from its start.
struct Layout {
    std::vector<std::uint64_t> parameters;
    std::uint64_t parameter_count = 0;  // elements, padding included
    std::vector<std::uint64_t> states;
    std::uint64_t state_count = 0;
};

// The listing names each pass and what it did.
struct PassRecord {
    std::string name;
    std::string did;
    double seconds = 0.0;
};

struct Plan {
    Graph graph;
    std::vector<Step> steps;       // in forward order
    std::vector<Launch> launches;  // of one step, in order; only forward outside training
    std::vector<PassRecord> passes;
    Memory memory;
    Layout layout;
    std::int64_t batch = 0;          // samples of the graph's tensors
    std::int64_t micro_batches = 1;  // micro-batches of `batch` samples, computed one after the other
    std::string split_reason;        // why a batch is not computed at once; empty: it is
};

// Bytes that run::Weights allocates on one replica for all that training changes.
struct WeightBytes {
    std::uint64_t parameters = 0;
    std::uint64_t gradients = 0;         // only in training
    std::uint64_t optimizer_states = 0;  // of all states together
    std::uint64_t running = 0;           // running statistics
    std::uint64_t average = 0;           // moving average of the parameters; 0: none is kept
    std::uint64_t running_average = 0;
    std::uint64_t rounded = 0;  // 16-bit copies of parameters and average that kernels ask for
    [[nodiscard]] std::uint64_t total() const {
        return parameters + gradients + optimizer_states + running + average + running_average + rounded;
    }
};
WeightBytes weight_bytes(const Plan& plan, std::size_t optimizer_states, bool averaged, const UpdateShare& share = {});

// Number of trained values in the graph.
std::int64_t parameter_total(const Graph& graph);
double flops_total(const Graph& graph);

}  // namespace sluice::plan
