// Agreement between the processes of one training.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "registry/optional/processes.hpp"

namespace sluice::run {

// Returns true if any process passes true. All processes call it at the same time; `name` is for messages.
[[nodiscard]] bool asks_any(const registry::Processes& processes, bool asks, std::string_view name = "whether to stop");

// A property that must be the same in all processes.
struct Trait {
    std::string what;   // "pipeline"
    std::string key;    // within `what`: "data.batch"; may be empty
    std::string value;  // text or a hash
};
using Traits = std::vector<Trait>;

// Describes how the traits of `process` differ from those of process 0: "process 1 has another pipeline than process 0:
// seed = 31, not 30". Empty if they do not differ.
[[nodiscard]] std::string difference(std::size_t process, const Traits& first, const Traits& other);

// All processes throw it at the same time, with the same text.
class Disagreement : public Error {
public:
    using Error::Error;
};

// Throws Disagreement(Exit::config) in all processes if one differs from process 0. The text names that process, what
// differs, and both values of the first keys.
void expect_same(const registry::Processes& processes, const Traits& own);

}  // namespace sluice::run
