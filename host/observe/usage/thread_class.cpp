#include "observe/usage/thread_class.hpp"

#include <algorithm>
#include <utility>

namespace sluice::observe {

// NCCL names its own threads.
ThreadClass class_of_thread(std::string_view name, std::string_view process_name) {
    static constexpr std::array<std::pair<std::string_view, ThreadClass>, 5> kNames{
        {{"replica", ThreadClass::compute},
         {"input", ThreadClass::input},
         {"observers", ThreadClass::observers},
         {"exchange", ThreadClass::exchange},
         {"NCCL", ThreadClass::exchange}}};
    if (name == process_name) {
        return ThreadClass::compute;
    }
    const auto found = std::ranges::find_if(kNames, [&](const auto& one) { return name.starts_with(one.first); });
    return found == kNames.end() ? ThreadClass::other : found->second;
}

}  // namespace sluice::observe
