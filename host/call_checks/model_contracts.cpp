// Contracts of layer types, kernels and precision policies.
#include "call_checks/table_contract.hpp"

namespace sluice::call_checks {

template <>
struct TableContract<sluice_layer> {
    using T = sluice_layer;
    static constexpr const char* kId = SLUICE_LAYER_V1;
    static constexpr std::tuple kFunctions{
        Function(&T::create, "create", Tag::any).makes(Handle::object),
        Function(&T::destroy, "destroy", Tag::serial).ends(Handle::object), Function(&T::traits, "traits", Tag::any),
        Function(&T::infer, "infer", Tag::any), Function(&T::finalize, "finalize", Tag::any)};
};

template <>
struct TableContract<sluice_kernel> {
    using T = sluice_kernel;
    static constexpr const char* kId = SLUICE_KERNEL_V1;
    static constexpr std::tuple kFunctions{
        Function(&T::create, "create", Tag::any).makes(Handle::object),
        Function(&T::destroy, "destroy", Tag::serial).ends(Handle::object),
        Function(&T::supports, "supports", Tag::any).with(&FunctionRules::is_supports, true),
        Function(&T::plan, "plan", Tag::serial).makes(Handle::kernel),
        Function(&T::release, "release", Tag::serial).takes(Handle::kernel).ends(Handle::kernel),
        Function(&T::forward, "forward", Tag::enqueue).on(Handle::kernel).does(Mark::forward),
        Function(&T::backward, "backward", Tag::enqueue).on(Handle::kernel).after(Mark::forward)};
};

template <>
struct TableContract<sluice_precision> {
    using T = sluice_precision;
    static constexpr const char* kId = SLUICE_PRECISION_V1;
    static constexpr std::tuple kFunctions{Function(&T::create, "create", Tag::any).makes(Handle::object),
                                           Function(&T::destroy, "destroy", Tag::serial).ends(Handle::object),
                                           Function(&T::traits, "traits", Tag::any),
                                           Function(&T::choose, "choose", Tag::any)};
};

std::vector<Wrapper> model_wrappers() {
    return {wrapper_of<sluice_layer>(), wrapper_of<sluice_kernel>(), wrapper_of<sluice_precision>()};
}

}  // namespace sluice::call_checks
