// What the processes of one training agree on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "registry/objects/processes.hpp"

namespace sluice::run {

// Whether this process or another asks. All ask at the same time; `name` is for messages.
[[nodiscard]] bool asks_any(const registry::Processes& processes, bool asks, std::string_view name = "whether to stop");

// What must be the same in all processes.
struct Trait {
    std::string what;   // "pipeline"
    std::string key;    // of it: "data.batch"; may be empty
    std::string value;  // such as a hash
};
using Traits = std::vector<Trait>;

// What all processes throw at the same time, with the same text.
class Disagreement : public Error {
public:
    using Error::Error;
};

// Throws Disagreement(Exit::config), in all processes the same, with the first process that differs from process 0, in
// what, and both values of the first keys.
void expect_same(const registry::Processes& processes, const Traits& own);

}  // namespace sluice::run
