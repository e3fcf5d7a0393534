// The rules for plugins of each kind as cases, one function for each rule. To add a case, write its function in the
// file of its kind, and add a row to the table at the end of that file.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "check/contract/trial.hpp"

namespace sluice::check {

struct Case {
    const char* name;    // "source.any_order"
    const char* proves;  // the rule, in a sentence
    // Returns if the rule is kept. Throws Broken if it is not, CaseSkipped if the case cannot be run here.
    void (*run)(Trial& trial);
    bool is_needed = false;  // if it fails or is skipped, all later cases are skipped
    bool exits = false;      // the process of the case calls exit()
    int limit_factor = 1;    // its time limit, in multiples of the usual one
};

struct KindCases {
    ObjectFunctions objects;
    std::span<const Case> cases;
};

const KindCases& cases_of(registry::Kind kind);

// Cases for every kind, in the order in which they run. They run before the cases of the component's own kind.
std::span<const Case> loading_cases();
std::span<const Case> option_cases();
std::span<const Case> object_cases();

const KindCases& device_cases();
const KindCases& layer_cases();
const KindCases& kernel_cases();
const KindCases& optimizer_cases();
const KindCases& source_cases();
const KindCases& transform_cases();
const KindCases& precision_cases();
const KindCases& strategy_cases();
const KindCases& observer_cases();

// Joins the lists, in their order.
std::vector<Case> joined(std::initializer_list<std::span<const Case>> lists);

// Throws CaseSkipped if the component does not serve the interface `id` in addition to that of its kind.
void need_interface(Trial& trial, const char* id);

// Functions of cases for every kind, defined in allocation.cpp and object_pairs.cpp.
void survives_failing_allocations(Trial& trial);
void objects_do_not_interfere(Trial& trial);

// ---- for the tables of most kinds

template <class Table>
Answer create_plain(Trial& trial, const sluice_value* options, void** self) {
    return ask(trial.table<Table>().create, trial.component().host, options, self);
}
template <class Table>
void destroy_plain(Trial& trial, void* self) {
    trial.table<Table>().destroy(self);
}

}  // namespace sluice::check
