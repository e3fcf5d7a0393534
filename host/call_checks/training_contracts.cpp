// Contracts of optimizers, strategies and observers.
#include "call_checks/table_contract.hpp"
#include "sluice/kind/processes.h"

namespace sluice::call_checks {

template <>
struct TableContract<sluice_optimizer> {
    using T = sluice_optimizer;
    static constexpr const char* kId = SLUICE_OPTIMIZER_V1;
    static constexpr std::tuple kFunctions{Function(&T::create, "create", Tag::any).makes(Handle::object),
                                           Function(&T::destroy, "destroy", Tag::serial).ends(Handle::object),
                                           Function(&T::describe, "describe", Tag::any).does(Mark::described),
                                           Function(&T::update, "update", Tag::enqueue)};
};

template <>
struct TableContract<sluice_strategy> {
    using T = sluice_strategy;
    static constexpr const char* kId = SLUICE_STRATEGY_V1;
    static constexpr std::tuple kFunctions{Function(&T::create, "create", Tag::any).makes(Handle::object),
                                           Function(&T::destroy, "destroy", Tag::serial).ends(Handle::object),
                                           Function(&T::topology, "topology", Tag::any),
                                           Function(&T::start, "start", Tag::serial_for_replica),
                                           Function(&T::finish, "finish", Tag::serial_for_replica),
                                           Function(&T::abort, "abort", Tag::any)};
};

template <>
struct TableContract<sluice_processes> {
    using T = sluice_processes;
    static constexpr const char* kId = SLUICE_PROCESSES_V1;
    static constexpr std::tuple kFunctions{Function(&T::place, "place", Tag::any),
                                           Function(&T::gather, "gather", Tag::serial)};
};

template <>
struct TableContract<sluice_observer> {
    using T = sluice_observer;
    static constexpr const char* kId = SLUICE_OBSERVER_V1;
    static constexpr std::tuple kFunctions{Function(&T::create, "create", Tag::any).makes(Handle::object),
                                           Function(&T::destroy, "destroy", Tag::serial).ends(Handle::object),
                                           Function(&T::wants, "wants", Tag::any).once(Mark::asked),
                                           Function(&T::on_event, "on_event", Tag::serial)};
};

std::vector<Wrapper> training_wrappers() {
    return {wrapper_of<sluice_optimizer>(), wrapper_of<sluice_strategy>(), wrapper_of<sluice_processes>(),
            wrapper_of<sluice_observer>()};
}

}  // namespace sluice::call_checks
