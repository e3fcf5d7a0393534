// TableContract of sluice_libraries. Its function gets neither an object nor a host, so a finding cannot name its
// component. Therefore each component that serves it gets its own checked function.
#include <array>
#include <mutex>

#include "call_checks/table_contract.hpp"
#include "sluice/kind/libraries.h"

namespace sluice::call_checks {

template <>
struct TableContract<sluice_libraries> {
    static constexpr const char* kId = SLUICE_LIBRARIES_V1;
    static constexpr std::tuple kFunctions{Function(&sluice_libraries::list, "list", Tag::any)};
};

namespace {

constexpr std::size_t kMost = 64;  // components; further ones are not checked
std::array<CheckedComponent*, kMost> components{};
std::mutex libraries_guard;

template <std::size_t Slot>
sluice_status list(const sluice_library_sink* sink, sluice_error* error) noexcept {
    using Checked = Trampoline<sluice_libraries, 0, decltype(&sluice_libraries::list)>;
    static constexpr FunctionRules kRules = function_of<sluice_libraries, 0>().rules;
    return Checked::run(kRules, components[Slot], sink, error);
}

template <std::size_t... Slots>
constexpr auto make_lists(std::index_sequence<Slots...>) {
    return std::array{sluice_libraries{list<Slots>}...};
}

std::shared_ptr<const void> make(CheckedComponent& component, const void* table) {
    static constexpr auto kLists = make_lists(std::make_index_sequence<kMost>());
    const std::lock_guard lock(libraries_guard);
    for (std::size_t i = 0; i < kMost; ++i) {
        if (components[i] == nullptr) {
            components[i] = &component;
            return {&kLists[i], [i](const void*) {
                        const std::lock_guard freeing(libraries_guard);
                        components[i] = nullptr;
                    }};
        }
    }
    return {table, [](const void*) {}};
}

}  // namespace

Wrapper libraries_wrapper() { return {SLUICE_LIBRARIES_V1, make, list_functions<sluice_libraries>}; }

}  // namespace sluice::call_checks
