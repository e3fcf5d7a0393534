// What the processes of one training agree on.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "registry/processes.hpp"

namespace sluice::run {

// Whether this process or another asks. All ask at the same time; `name` is for messages.
[[nodiscard]] bool asks_any(const registry::Processes& processes, bool asks, std::string_view name = "whether to stop");

// What must be the same in all processes: names and what stands for each, such as a hash.
using Traits = std::vector<std::pair<std::string, std::string>>;

// Throws Error(Exit::config) with the first that differs, the process that differs from the first one, and both values.
void expect_same(const registry::Processes& processes, const Traits& own);

}  // namespace sluice::run
