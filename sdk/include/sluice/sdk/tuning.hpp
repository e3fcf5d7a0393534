// Kernel tuning: chooses the fastest of several ways to compute, and remembers the choice in the host's tuning cache.
//
//     const std::vector<Way> ways = ...;  // the first is used if nothing may be measured
//     const Way& way = sdk::choose_candidate(sink, key, ways, &Way::name, [&]() -> const Way& {
//         return *std::ranges::min_element(ways, {}, seconds_of);
//     });
//
// `key` names all that the choice depends on: shapes, types, versions, CPU or GPU, threads (sluice/kind/kernel.h). What
// the measurement throws is passed on, and then nothing is remembered.
#pragma once

#include <algorithm>
#include <concepts>
#include <functional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sluice/sdk/kernel.hpp"

namespace sluice::sdk {

// Returns the candidate that is remembered under `key`, if there still is one of that name. Else it calls measure() if
// the host allows to measure, and remembers the result. Else it returns the first.
// candidates: at least one. name: projection to the candidate's name. measure: returns the fastest candidate.
template <class Candidate, class Name, class Measure>
const Candidate& choose_candidate(const KernelSink& sink, std::string_view key,
                                  const std::vector<Candidate>& candidates, Name name, const Measure& measure) {
    static_assert(std::same_as<std::invoke_result_t<const Measure&>, const Candidate&>, "a copy would not outlive it");
    const auto known = std::ranges::find(candidates, sink.recall(key), name);
    if (known != candidates.end()) {
        return *known;
    }
    if (!sink.may_measure()) {
        return candidates.front();
    }
    const Candidate& fastest = measure();
    sink.remember(key, std::invoke(name, fastest));
    return fastest;
}

}  // namespace sluice::sdk
