#include "call_checks/wrap.hpp"

#include <algorithm>
#include <string_view>

namespace sluice::call_checks {
namespace {

const std::vector<Wrapper>& all_wrappers() {
    static const std::vector<Wrapper> all = [] {
        std::vector<Wrapper> wrappers{libraries_wrapper()};
        for (const auto& some : {device_wrappers(), model_wrappers(), data_wrappers(), training_wrappers()}) {
            wrappers.insert(wrappers.end(), some.begin(), some.end());
        }
        return wrappers;
    }();
    return all;
}

}  // namespace

std::shared_ptr<const void> wrap_table(CheckedComponent& component, const char* id, const void* table) {
    const auto found =
        std::ranges::find_if(all_wrappers(), [&](const Wrapper& one) { return std::string_view(one.id) == id; });
    return found->make(component, table);
}

std::vector<CheckedFunction> list_checked() {
    std::vector<CheckedFunction> all;
    for (const Wrapper& wrapper : all_wrappers()) {
        const std::vector<CheckedFunction> functions = wrapper.list();
        all.insert(all.end(), functions.begin(), functions.end());
    }
    return all;
}

}  // namespace sluice::call_checks
