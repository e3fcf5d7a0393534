// Runs a plan: its launches, bound once to memory. A step allocates nothing here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "run/network/launch_watch.hpp"
#include "run/network/threads.hpp"
#include "run/weights/weights.hpp"

namespace sluice::run {

// What a replica lends to every launch.
struct LaunchContext {
    void* stream = nullptr;
    const sluice_step_scalars* scalars = nullptr;  // device memory
    const sluice_threads* threads = nullptr;
    std::uint64_t seed = 0;
    LaunchWatch* watch = nullptr;               // may be null
    bool averaged = false;                      // computes with the average of the weights
    const sluice_replicas* replicas = nullptr;  // null: there is one
    std::int64_t own_shards = 1;                // of a batch, that this one computes one after the other
    bool ends_where_others_are_lost = false;    // between two launches
};

class Executor {
public:
    // `arena` holds at least plan.memory.arena_bytes; plan and weights outlive the executor.
    Executor(const plan::Plan& plan, const Weights& weights, std::byte* arena, const LaunchContext& context);

    void forward(std::uint32_t parameters_version);
    // `filled` is told how many elements of the flat gradients, from the first on, nothing writes any more.
    using Filled = std::function<void(std::uint64_t)>;
    void backward(std::uint32_t parameters_version, bool accumulate, const Filled& filled = nullptr);

    // Where a tensor of the graph lives while the step runs.
    [[nodiscard]] std::byte* tensor(plan::TensorId id) const;
    // Its gradient; null where it has none.
    [[nodiscard]] std::byte* gradient(plan::TensorId id) const;
    // Runs forward launch by launch and names the first layer whose output is not finite; `read` copies a
    // tensor to the host.
    [[nodiscard]] std::optional<std::string> first_not_finite(
        std::uint32_t parameters_version, const std::function<std::span<const float>(plan::TensorId)>& read);

private:
    // The pointers of one launch; the arrays of sluice_launch point into them.
    struct Pointers {
        std::vector<void*> inputs, outputs, parameters, states, saved;
        std::vector<void*> output_gradients, input_gradients, parameter_gradients, rounded_parameters;
        sluice_launch launch{};
    };

    [[nodiscard]] Pointers bind_forward(const plan::Step& step) const;
    [[nodiscard]] Pointers bind_again(const plan::Step& step) const;
    [[nodiscard]] Pointers bind_backward(const plan::Step& step, bool is_made_again) const;
    void look_for_others() const;
    void finish(Pointers& pointers, const plan::Step& step, std::uint64_t workspace) const;
    // Where a launch of backward finds a tensor.
    [[nodiscard]] void* later(plan::TensorId id) const;
    [[nodiscard]] void* at(std::uint64_t offset) const;
    [[nodiscard]] std::vector<std::uint64_t> find_filled() const;

    const plan::Plan& plan_;
    const Weights& weights_;
    std::byte* arena_;
    LaunchContext context_;
    std::vector<Pointers> forward_;
    std::vector<Pointers> again_;
    std::vector<Pointers> backward_;
    std::vector<std::uint64_t> filled_;  // after each launch
};

}  // namespace sluice::run
