// What limits a training, by the evidence of its diagnosis.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnose/evidence/evidence.hpp"
#include "diagnose/experiments/topic.hpp"

namespace sluice::diagnose {

struct Verdict {
    std::string sentence;           // names the limiting resource and its share of the time
    std::vector<Finding> findings;  // by gain, largest first; memory that runs out is before all
    std::string missing;            // why the verdict is not sure; empty: it is
    double share_of_limit = 0.0;    // of the machine's peak rates that the network reaches; 0: not known

    [[nodiscard]] bool is_complete() const { return missing.empty(); }
};

// `unfinished`: experiments that the budget had no time for.
Verdict verdict_of(const Evidence& evidence, const std::vector<std::string>& unfinished);

// The ratio on which a finding rests: that of its first fix, or what it costs.
const Ratio& deciding_ratio(const Finding& finding);
// The name of the variant whose result that is; empty: no variant was measured for it.
std::string_view deciding_result(const Finding& finding);

}  // namespace sluice::diagnose
