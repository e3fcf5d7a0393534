// Optimizers, strategies and observers.
#include "checked/contract.hpp"
#include "sluice/kind/processes.h"

namespace sluice::registry::checked {
namespace {

constexpr const char* kForReplica = "[any], [serial] for one replica";

}  // namespace

template <>
struct Contract<sluice_optimizer> {
    using T = sluice_optimizer;
    static constexpr const char* kId = SLUICE_OPTIMIZER_V1;
    static constexpr std::tuple kFunctions{Function(&T::create, "create", "[any]").makes(Handle::object),
                                           Function(&T::destroy, "destroy", "[serial]").ends(Handle::object),
                                           Function(&T::describe, "describe", "[any]").does(Mark::described),
                                           Function(&T::update, "update", "[enqueue]")};
};

template <>
struct Contract<sluice_strategy> {
    using T = sluice_strategy;
    static constexpr const char* kId = SLUICE_STRATEGY_V1;
    static constexpr std::tuple kFunctions{Function(&T::create, "create", "[any]").makes(Handle::object),
                                           Function(&T::destroy, "destroy", "[serial]").ends(Handle::object),
                                           Function(&T::topology, "topology", "[any]"),
                                           Function(&T::start, "start", kForReplica),
                                           Function(&T::finish, "finish", kForReplica),
                                           Function(&T::abort, "abort", "[any]")};
};

template <>
struct Contract<sluice_processes> {
    using T = sluice_processes;
    static constexpr const char* kId = SLUICE_PROCESSES_V1;
    static constexpr std::tuple kFunctions{Function(&T::place, "place", "[any]"),
                                           Function(&T::gather, "gather", "[serial]")};
};

template <>
struct Contract<sluice_observer> {
    using T = sluice_observer;
    static constexpr const char* kId = SLUICE_OBSERVER_V1;
    static constexpr std::tuple kFunctions{Function(&T::create, "create", "[any]").makes(Handle::object),
                                           Function(&T::destroy, "destroy", "[serial]").ends(Handle::object),
                                           Function(&T::wants, "wants", "[any]").once(Mark::asked),
                                           Function(&T::on_event, "on_event", "[serial]")};
};

std::vector<Wrapper> training_wrappers() {
    return {wrapper_of<sluice_optimizer>(), wrapper_of<sluice_strategy>(), wrapper_of<sluice_processes>(),
            wrapper_of<sluice_observer>()};
}

}  // namespace sluice::registry::checked
