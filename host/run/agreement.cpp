#include "run/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "run/replica_group.hpp"

namespace sluice::run {

bool asks_any(const registry::Processes& processes, bool asks, std::string_view name) {
    return std::ranges::count(processes.gather<char>(asks ? 1 : 0, name, kLongPatience), 1) > 0;
}

void expect_same(const registry::Processes& processes, const Traits& own) {
    for (const auto& [name, value] : own) {
        const std::vector<std::string> all = processes.gather_texts(value, name, kLongPatience);
        const auto other = std::ranges::find_if(all, [&](const std::string& one) { return one != all.front(); });
        if (other != all.end()) {
            throw Error(Exit::config,
                        fmt::format("process {} has another {} than process 0: {} and {}; all processes of a training "
                                    "need the same program, pipeline and data",
                                    other - all.begin(), name, *other, all.front()));
        }
    }
}

}  // namespace sluice::run
