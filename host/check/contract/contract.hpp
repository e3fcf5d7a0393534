// `host check FILE`: the contract of the ABI as named cases, for each component of a plugin.
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

struct ContractWish {
    std::string only;  // the name of a case; empty: all of them
    std::uint64_t seed = 1;
    std::chrono::duration<double> limit{60};        // of a case
    double threads = 1.0;                           // share of the usual time that is spent on threads at once
    Table options;                                  // photos = { folder = "..." }: of the component of that name
    std::function<void(const std::string&)> begin;  // where it is not empty: gets the name of each case that begins
};

// All cases of a kind, in the order in which they are run.
std::vector<const Case*> list_cases(registry::Kind kind);

// Throws Error(Exit::config) where no case has such a name.
void expect_case(const std::string& name);

// Runs the cases on one component, each in a process of its own, and tells what is found as it comes. The calling
// process must not have run kernels.
void check_contract(const registry::Registry& registry, const registry::ComponentManifest& component,
                    const ContractWish& wish, const std::function<void(const Finding&)>& tell);

}  // namespace sluice::check
