// The plan: what will happen in one step, fixed and printable before a byte is allocated. Made once per batch shape and
// mode; plans of one pipeline share parameters by their index.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plan/buckets.hpp"
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
    // Of a second forward during backward; its states are scratch, because those of the replica change once a step.
    std::vector<std::uint64_t> saved_again;
    std::vector<std::uint64_t> states_again;
    std::uint64_t again_workspace = kNowhere;
    std::string refusals;  // why providers before the chosen one did not take it
};

// again: forward once more during backward, because what it made was not kept.
enum class Direction { forward, again, backward };

struct Launch {
    Direction direction = Direction::forward;
    std::size_t step = 0;
};

// Where each tensor lives in the arena, by tensor id; kNowhere: it never exists.
struct Memory {
    std::vector<std::uint64_t> tensors;
    std::vector<std::uint64_t> tensors_again;  // what a second forward made: backward reads it there
    std::vector<std::uint64_t> gradients;
    // Whose memory it lies in: its own, or that of one that it is written over.
    std::vector<TensorId> tensor_homes;
    std::vector<TensorId> gradient_homes;
    std::uint64_t alignment = 64;  // of each, in bytes: that of the device's blocks, but not less
    std::uint64_t arena_bytes = 0;
    std::uint64_t least_bytes = 0;          // the most that is in use at one time
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

// What a pass did, for the listing.
struct PassRecord {
    std::string name;
    std::string did;
    double seconds = 0.0;
};

struct Plan {
    Graph graph;
    std::vector<Step> steps;       // in forward order
    std::vector<Launch> launches;  // of one step in their order; forward alone outside training
    std::vector<PassRecord> passes;
    Memory memory;
    Layout layout;
    std::int64_t batch = 0;     // samples of the graph's tensors
    std::int64_t pieces = 1;    // of `batch` samples each, in which a batch is computed one after the other
    std::string whole_refused;  // why it is not computed whole, where there are several
};

// Bytes of the blocks of all that training changes: what run::Weights allocates of one replica.
struct WeightBytes {
    std::uint64_t parameters = 0;
    std::uint64_t gradients = 0;         // in training alone
    std::uint64_t optimizer_states = 0;  // of all together
    std::uint64_t running = 0;           // statistics
    std::uint64_t average = 0;           // of the parameters, where one is kept
    std::uint64_t running_average = 0;
    std::uint64_t rounded = 0;  // 16-bit copies of parameters and average that kernels ask for
    [[nodiscard]] std::uint64_t total() const {
        return parameters + gradients + optimizer_states + running + average + running_average + rounded;
    }
};
WeightBytes weight_bytes(const Plan& plan, std::size_t optimizer_states, bool averaged, const UpdateShare& share = {});

// Trained numbers of the graph.
std::int64_t parameter_total(const Graph& graph);
double flops_total(const Graph& graph);

}  // namespace sluice::plan
