// Memory that grows with every step, which costs no time until it is used up.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/byte_size.hpp"
#include "base/text/duration.hpp"
#include "diagnose/experiments/topic.hpp"

namespace sluice::diagnose {

void explain_memory(const Evidence& evidence, std::vector<Finding>& findings) {
    const Facts& facts = evidence.facts;
    constexpr double kErrors = 4.0;    // standard errors, from which growth is no chance
    constexpr double kLeast = 4096.0;  // bytes per step
    constexpr double kSoon = 3600.0;   // seconds until the memory is used up, if the training is not longer
    if (facts.growth < kLeast || facts.growth < kErrors * facts.growth_error) {
        return;
    }
    const double left = static_cast<double>(facts.available) / facts.growth * facts.seconds;
    if (left > std::max(kSoon, facts.length)) {
        return;
    }
    findings.push_back(
        {.cause = "memory",
         .subject = "",
         .sentence = fmt::format("the memory of the training grows by {} a step, and is used up after {}",
                                 format_size(static_cast<std::uint64_t>(facts.growth)), format_duration(left)),
         .evidence =
             fmt::format("{} of resident memory after {:.0f} steps", format_size(facts.resident), facts.steps)});
}

}  // namespace sluice::diagnose
