// A graph that one engine is ready to run.
#pragma once

#include <memory>

#include "graph/conv_graph.hpp"
#include "graph/engine.hpp"
#include "graph/handle.hpp"

namespace sluice::cudnn {

class ExecutionPlan {
public:
    // Returns NULL if the engine cannot compute the graph.
    [[nodiscard]] static std::unique_ptr<ExecutionPlan> make(const Descriptor& graph, const Target& target,
                                                             const EngineChoice& choice);

    [[nodiscard]] const EngineChoice& choice() const { return choice_; }
    [[nodiscard]] std::uint64_t workspace() const { return workspace_; }
    // As winograd_points() returns it.
    [[nodiscard]] std::int64_t winograd_points() const { return winograd_points_; }

    // A tensor's memory.
    struct Binding {
        Operand operand;
        const void* memory;
    };
    // Runs on the stream that the handle uses.
    void run(const Handle& handle, std::span<const Binding> bindings, void* workspace) const;

private:
    ExecutionPlan(EngineChoice choice, Descriptor configuration, Descriptor plan, std::int64_t winograd_points);

    EngineChoice choice_;
    Descriptor configuration_;
    Descriptor plan_;
    std::uint64_t workspace_;
    std::int64_t winograd_points_;
};

}  // namespace sluice::cudnn
