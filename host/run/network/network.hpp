// The network on one device: its weights, and a program for each mode and shape of the batch, which share an arena.
// Where there are other replicas, what training has begun to record stays where it is, since all of them record at the
// same time: what needs a larger arena then gets another one.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "data/loader/loader.hpp"
#include "plan/plan.hpp"
#include "run/network/program.hpp"
#include "run/weights/weights.hpp"

namespace sluice::run {

class Network {
public:
    // `fields` are those of the data with their largest shapes known; `optimizer` may be null: then nothing is trained.
    // Throws Error(Exit::device) with what would help where it does not fit into the device's memory. What `context`
    // names outlives it.
    Network(const config::PipelineSpec& spec, const plan::Toolbox& tools, const registry::Optimizer* optimizer,
            std::span<const registry::Field> fields, const LaunchContext& context, const plan::UpdateShare& share);

    // Made where there is none yet, which throws as the constructor. Where there are many, the one that was not used
    // for longest is dropped; the first never is, nor one that stays.
    Program& program(plan::Mode mode, const data::Batch& batch);
    const plan::Plan& prepare(plan::Mode mode, std::span<const registry::Field> fields);
    // That of the constructor.
    [[nodiscard]] const Program& first() const { return *programs_.front(); }

    [[nodiscard]] Weights& weights() { return *weights_; }
    // Tells `watch` of every launch from now on; null: nobody.
    void watch_launches(LaunchWatch* watch);
    // For work on its stream.
    [[nodiscard]] Recorded make_recorded() const;

private:
    // Checks that it fits before anything of it is allocated.
    [[nodiscard]] plan::Plan make_plan(plan::Mode mode, std::span<const registry::Field> fields);
    Program& add(plan::Plan plan, std::span<const registry::Field> fields);
    void make_room();
    void grow_arena(std::uint64_t bytes);
    void bind(Program& program) const;
    [[nodiscard]] bool stays(const Program& program) const;
    // In which programs are that stay.
    [[nodiscard]] bool holds(const registry::Block& arena) const;

    const config::PipelineSpec& spec_;
    const plan::Toolbox& tools_;
    const registry::Optimizer* optimizer_;
    plan::UpdateShare share_;
    LaunchContext context_;
    std::optional<std::uint64_t> free_;  // memory of the device, before any of this was allocated
    registry::Block arena_;
    std::vector<registry::Block> earlier_arenas_;  // of programs that stay there
    std::optional<Weights> weights_;
    std::vector<std::shared_ptr<Program>> programs_;
};

}  // namespace sluice::run
