// The network on one device: its weights, and a program for each mode and batch shape. Programs share an arena.
// With other replicas, a training program keeps its arena after its first run, since all replicas capture their graphs
// at the same time. A program that needs a larger arena then gets a new one.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "data/loader/batch.hpp"
#include "plan/plan.hpp"
#include "registry/objects/device.hpp"
#include "registry/objects/field.hpp"
#include "registry/objects/optimizer.hpp"
#include "run/network/program.hpp"
#include "run/weights/weights.hpp"

namespace sluice::run {

class Network {
public:
    // `fields` are the fields of the data, with their largest shapes. `optimizer` null: the network is not trained.
    // Throws Error(Exit::device), with advice, if the network does not fit into device memory. The objects in `context`
    // must outlive this one.
    Network(const config::PipelineSpec& spec, const plan::Toolbox& tools, const registry::Optimizer* optimizer,
            std::span<const registry::Field> fields, const LaunchContext& context, const plan::UpdateShare& share);

    // Returns the program for this mode and shape. Makes it if needed, which throws as the constructor. If there are
    // too many programs, drops the least recently used one, but never the first or one that stays().
    Program& program(plan::Mode mode, const data::Batch& batch);
    const plan::Plan& prepare(plan::Mode mode, std::span<const registry::Field> fields);
    // Returns the program that the constructor made.
    [[nodiscard]] const Program& first() const { return *programs_.front(); }
    [[nodiscard]] const plan::Plan& plan() const { return first().plan; }

    [[nodiscard]] Weights& weights() { return *weights_; }
    // Reports every later launch to `callback`; null: none is reported. `callback` must outlive the network, unless it
    // is reset to null before.
    void set_launch_callback(LaunchCallback* callback);
    // True if training steps are captured as graphs and replayed.
    [[nodiscard]] bool captures_graphs() const;
    // Returns an empty graph for work on this network's stream.
    [[nodiscard]] CapturedGraph make_graph() const;

private:
    // Checks that the plan fits into memory before anything is allocated.
    [[nodiscard]] plan::Plan make_plan(plan::Mode mode, std::span<const registry::Field> fields);
    Program& add(plan::Plan plan, std::span<const registry::Field> fields);
    void make_room();
    void grow_arena(std::uint64_t bytes);
    void bind(Program& program) const;
    // True if the program must not move, because other replicas capture their graphs at the same time.
    [[nodiscard]] bool stays(const Program& program) const;
    // True if a program that stays uses this arena.
    [[nodiscard]] bool holds(const registry::Block& arena) const;

    const config::PipelineSpec& spec_;
    const plan::Toolbox& tools_;
    const registry::Optimizer* optimizer_;
    plan::UpdateShare share_;
    LaunchContext context_;
    std::optional<std::uint64_t> free_;  // bytes of device memory that were free before any allocation here
    registry::Block arena_;
    std::vector<registry::Block> earlier_arenas_;  // arenas of programs that stay
    std::optional<Weights> weights_;
    std::vector<std::shared_ptr<Program>> programs_;
};

}  // namespace sluice::run
