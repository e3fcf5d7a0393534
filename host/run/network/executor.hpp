// Runs a plan: its kernel launches are bound to memory once. A step allocates nothing here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "run/network/launch_callback.hpp"
#include "run/network/launch_spans.hpp"
#include "run/network/threads.hpp"
#include "run/weights/weights.hpp"

namespace sluice::run {

// Every launch gets this context from its replica, which owns the objects.
struct LaunchContext {
    void* stream = nullptr;
    const sluice_step_scalars* scalars = nullptr;  // device memory
    const sluice_threads* threads = nullptr;
    std::uint64_t seed = 0;
    LaunchCallback* callback = nullptr;         // may be null
    bool averaged = false;                      // compute with the average of the weights
    const sluice_replicas* replicas = nullptr;  // null: there are no other replicas
    std::int64_t shards_per_replica = 1;        // shards of a batch that this replica computes one after the other
    bool checks_for_lost_replicas = false;      // call throw_if_replica_lost() before each launch
    StreamSpans* spans = nullptr;               // records launches; null: they are not recorded
};

class Executor {
public:
    // `arena` has at least plan.memory.arena_bytes bytes. `plan` and `weights` must outlive the executor.
    Executor(const plan::Plan& plan, const Weights& weights, std::byte* arena, const LaunchContext& context);

    void forward(std::uint32_t parameters_version);
    // After each launch, `filled` gets the number of leading elements of the flat gradients that are final.
    using Filled = std::function<void(std::uint64_t)>;
    void backward(std::uint32_t parameters_version, bool accumulate, const Filled& filled = nullptr);

    // Address of a tensor of the graph while the step runs.
    [[nodiscard]] std::byte* tensor(plan::TensorId id) const;
    // Address of the tensor's gradient; null: it has none.
    [[nodiscard]] std::byte* gradient(plan::TensorId id) const;
    // The launches of the plan; null if they are not recorded.
    [[nodiscard]] const profile::Operations& operations() const { return spans_.operations(); }
    // Runs forward launch by launch and returns the first layer whose output is not finite, if any. `read` copies a
    // tensor to the host.
    [[nodiscard]] std::optional<std::string> first_not_finite(
        std::uint32_t parameters_version, const std::function<std::span<const float>(plan::TensorId)>& read);

private:
    // The pointers of one launch. The arrays of `launch` point into the vectors.
    struct Pointers {
        std::vector<void*> inputs, outputs, parameters, states, saved;
        std::vector<void*> output_gradients, input_gradients, parameter_gradients, rounded_parameters;
        sluice_launch launch{};
    };

    [[nodiscard]] Pointers bind_forward(const plan::Step& step) const;
    [[nodiscard]] Pointers bind_recompute(const plan::Step& step) const;
    [[nodiscard]] Pointers bind_backward(const plan::Step& step, bool is_recomputed) const;
    void check_for_lost_replicas() const;
    void finish(Pointers& pointers, const plan::Step& step, std::uint64_t workspace) const;
    // Address of a tensor for backward: its recomputed copy, if there is one.
    [[nodiscard]] void* backward_tensor(plan::TensorId id) const;
    [[nodiscard]] void* at(std::uint64_t offset) const;
    [[nodiscard]] std::vector<std::uint64_t> find_filled() const;

    const plan::Plan& plan_;
    const Weights& weights_;
    std::byte* arena_;
    LaunchContext context_;
    std::vector<Pointers> forward_;
    std::vector<Pointers> recompute_;
    std::vector<Pointers> backward_;
    std::vector<std::uint64_t> filled_;  // final elements of the flat gradients after each launch
    LaunchSpans spans_;
};

}  // namespace sluice::run
