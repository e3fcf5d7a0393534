#include "graph/plan.hpp"

namespace sluice::cudnn {
namespace {

struct Configuration {
    Descriptor descriptor;
    std::int64_t winograd_points;
};

// Only reports of speed need this, so a cuDNN that does not know it computes all the same.
std::int64_t points_if_known(const Descriptor& engine) {
    try {
        return winograd_points(engine);
    } catch (const sdk::Failure&) {
        return 0;
    }
}

// Returns nothing if this cuDNN does not know the choice for this graph.
std::optional<Configuration> configure(const Descriptor& graph, const Target& target, const EngineChoice& choice) {
    Descriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    engine.set(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph).set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, choice.engine);
    target.bind_engine(engine);
    if (!engine.try_finalize()) {
        return std::nullopt;
    }
    std::vector<Descriptor> knobs;
    std::vector<const Descriptor*> pointers;
    for (const auto& [type, value] : choice.knobs) {
        Descriptor& knob = knobs.emplace_back(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
        knob.set(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, static_cast<cudnnBackendKnobType_t>(type))
            .set(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, value);
        if (!knob.try_finalize()) {
            return std::nullopt;
        }
    }
    for (const Descriptor& knob : knobs) {
        pointers.push_back(&knob);
    }
    Descriptor configuration(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    configuration.set(CUDNN_ATTR_ENGINECFG_ENGINE, engine);
    if (!pointers.empty()) {
        configuration.set(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, std::span<const Descriptor* const>(pointers));
    }
    if (!configuration.try_finalize()) {
        return std::nullopt;
    }
    return Configuration{std::move(configuration), points_if_known(engine)};
}

}  // namespace

std::unique_ptr<ExecutionPlan> ExecutionPlan::make(const Descriptor& graph, const Target& target,
                                                   const EngineChoice& choice) {
    std::optional<Configuration> configuration;
    try {
        configuration = configure(graph, target, choice);
    } catch (const sdk::Failure&) {
        // The choice comes from another version of cuDNN.
    }
    if (!configuration) {
        return nullptr;
    }
    Descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration->descriptor);
    target.bind_plan(plan);
    if (!plan.try_finalize()) {
        return nullptr;
    }
    return std::unique_ptr<ExecutionPlan>(new ExecutionPlan(choice, std::move(configuration->descriptor),
                                                            std::move(plan), configuration->winograd_points));
}

ExecutionPlan::ExecutionPlan(EngineChoice choice, Descriptor configuration, Descriptor plan, std::int64_t points)
    : choice_(std::move(choice)),
      configuration_(std::move(configuration)),
      plan_(std::move(plan)),
      workspace_(static_cast<std::uint64_t>(plan_.integer(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE))),
      winograd_points_(points) {}

void ExecutionPlan::run(const Handle& handle, std::span<const Binding> bindings, void* workspace) const {
    std::vector<std::int64_t> numbers;
    std::vector<const void*> pointers;
    for (const Binding& binding : bindings) {
        numbers.push_back(static_cast<std::int64_t>(binding.operand));
        pointers.push_back(binding.memory);
    }
    Descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, std::span<const std::int64_t>(numbers))
        .set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, std::span<const void* const>(pointers))
        .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace)
        .finalize("the memory of a convolution");
    check(cudnnBackendExecute(handle.native(), plan_.native(), pack.native()),
          [&] { return "running " + choice_.text(); });
}

}  // namespace sluice::cudnn
