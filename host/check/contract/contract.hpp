// `host check FILE`: runs named cases, which are the rules of the ABI, on each component of a plugin.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/value.hpp"
#include "check/contract/cases.hpp"
#include "check/findings/finding.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::check {

struct CheckSettings {
    std::string only;  // the name of a case; empty: all of them
    std::uint64_t seed = 1;
    std::chrono::duration<double> limit{60};        // time limit of a case
    double threads = 1.0;                           // factor for the running time of cases with several threads
    Table options;                                  // options by component, such as photos = { folder = "..." }
    std::function<void(const std::string&)> begin;  // gets the name of each case before it runs; may be empty
};

// All cases of a kind, in the order in which they run.
std::vector<const Case*> list_cases(registry::Kind kind);

// Throws Error(Exit::config) if no case has this name.
void expect_case(const std::string& name);

// Runs the cases on one component, each in a process of its own. `notify` gets each finding as soon as its case has
// finished. The calling process must not have run kernels (see run_isolated()).
void check_contract(const registry::Registry& registry, const registry::ComponentManifest& component,
                    const CheckSettings& settings, const std::function<void(const Finding&)>& notify);

}  // namespace sluice::check
