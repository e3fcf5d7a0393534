// Contracts of sources, transforms and their optional interfaces.
#include "call_checks/table_contract.hpp"
#include "sluice/kind/class_names.h"
#include "sluice/kind/identity.h"
#include "sluice/kind/sampling.h"

namespace sluice::call_checks {

template <>
struct TableContract<sluice_source> {
    using T = sluice_source;
    static constexpr const char* kId = SLUICE_SOURCE_V1;
    static constexpr std::tuple kFunctions{
        Function(&T::create, "create", Tag::any).makes(Handle::object),
        Function(&T::destroy, "destroy", Tag::serial).ends(Handle::object),
        Function(&T::describe, "describe", Tag::any).does(Mark::described),
        Function(&T::context_create, "context_create", Tag::any).makes(Handle::context),
        Function(&T::context_destroy, "context_destroy", Tag::serial_for_context)
            .takes(Handle::context)
            .ends(Handle::context),
        Function(&T::read, "read", Tag::serial_for_context).takes(Handle::context)};
};

template <>
struct TableContract<sluice_window_source> {
    using T = sluice_window_source;
    static constexpr const char* kId = SLUICE_WINDOW_SOURCE_V1;
    static constexpr std::tuple kFunctions{
        Function(&T::has_windows, "has_windows", Tag::any).after(Mark::described).fills(FunctionRules::kAll),
        Function(&T::extents, "extents", Tag::serial_for_context).takes(Handle::context).fills(FunctionRules::kAll),
        Function(&T::read, "read", Tag::serial_for_context).takes(Handle::context)};
};

template <>
struct TableContract<sluice_sampling> {
    using T = sluice_sampling;
    static constexpr const char* kId = SLUICE_SAMPLING_V1;
    static constexpr std::tuple kFunctions{Function(&T::classes, "classes", Tag::any).fills(FunctionRules::kAll),
                                           Function(&T::weights, "weights", Tag::any).fills(FunctionRules::kAll)};
};

template <>
struct TableContract<sluice_identity> {
    static constexpr const char* kId = SLUICE_IDENTITY_V1;
    static constexpr std::tuple kFunctions{Function(&sluice_identity::identity, "identity", Tag::any).fills(2)};
};

template <>
struct TableContract<sluice_class_names> {
    static constexpr const char* kId = SLUICE_CLASS_NAMES_V1;
    static constexpr std::tuple kFunctions{
        Function(&sluice_class_names::name, "name", Tag::any).after(Mark::described)};
};

template <>
struct TableContract<sluice_transform> {
    using T = sluice_transform;
    static constexpr const char* kId = SLUICE_TRANSFORM_V1;
    static constexpr std::tuple kFunctions{
        Function(&T::create, "create", Tag::any).makes(Handle::object),
        Function(&T::destroy, "destroy", Tag::serial).ends(Handle::object),
        Function(&T::describe, "describe", Tag::serial).once(Mark::described),
        Function(&T::context_create, "context_create", Tag::any).makes(Handle::context),
        Function(&T::context_destroy, "context_destroy", Tag::serial_for_context)
            .takes(Handle::context)
            .ends(Handle::context),
        Function(&T::apply, "apply", Tag::serial_for_context).takes(Handle::context).after(Mark::described)};
};

template <>
struct TableContract<sluice_batch_transform> {
    static constexpr const char* kId = SLUICE_BATCH_TRANSFORM_V1;
    static constexpr std::tuple kFunctions{Function(&sluice_batch_transform::apply, "apply", Tag::serial_for_context)
                                               .takes(Handle::context)
                                               .after(Mark::described)
                                               .with(&FunctionRules::writes_fields, true)};
};

template <>
struct TableContract<sluice_window_maker> {
    using T = sluice_window_maker;
    static constexpr const char* kId = SLUICE_WINDOW_MAKER_V1;
    static constexpr std::tuple kFunctions{Function(&T::extents, "extents", Tag::serial_for_context)
                                               .takes(Handle::context)
                                               .does(Mark::extents)
                                               .fills(FunctionRules::kAll)
                                               .with(&FunctionRules::keeps_loan, true),
                                           Function(&T::apply, "apply", Tag::serial_for_context)
                                               .takes(Handle::context)
                                               .after(Mark::extents)
                                               .with(&FunctionRules::takes_up_loan, true)};
};

template <>
struct TableContract<sluice_window_choice> {
    using T = sluice_window_choice;
    static constexpr const char* kId = SLUICE_WINDOW_CHOICE_V1;
    static constexpr std::tuple kFunctions{
        Function(&T::expect, "expect", Tag::serial).after(Mark::described).once(Mark::expected),
        Function(&T::choose, "choose", Tag::any).after(Mark::described).fills(FunctionRules::kAll),
        Function(&T::apply, "apply", Tag::serial_for_context).takes(Handle::context).after(Mark::described)};
};

std::vector<Wrapper> data_wrappers() {
    return {
        wrapper_of<sluice_source>(),          wrapper_of<sluice_window_source>(), wrapper_of<sluice_sampling>(),
        wrapper_of<sluice_identity>(),        wrapper_of<sluice_class_names>(),   wrapper_of<sluice_transform>(),
        wrapper_of<sluice_batch_transform>(), wrapper_of<sluice_window_maker>(),  wrapper_of<sluice_window_choice>()};
}

}  // namespace sluice::call_checks
