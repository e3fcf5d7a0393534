// The contract as cases: what a plugin of each kind has to keep, one function for each rule. To add a case, write its
// function in the file of its kind, and its row in the table at the end of that file.
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
    // Returns where the rule is kept; throws Broken where it is not, NotShown where that cannot be said.
    void (*run)(Trial& trial);
    bool is_needed = false;  // without it no later case says anything
    bool exits = false;      // its process ends by exit()
    int patience = 1;        // how many times the limit it may take
};

struct KindCases {
    std::unique_ptr<Exercise> (*exercise)(Trial& trial);
    // create() and destroy() of its table; throws NotShown where a device is missing.
    Answer (*create)(Trial& trial, const sluice_value* options, void** self);
    void (*destroy)(Trial& trial, void* self);
    std::span<const Case> cases;
};

const KindCases& cases_of(registry::Kind kind);

// Those of every kind, in the order in which they are run: before those of its own kind.
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

// One list after the other.
std::vector<Case> joined(std::initializer_list<std::span<const Case>> lists);

// Throws NotShown where the component does not serve it beside the interface of its kind.
void need_interface(Trial& trial, const char* id);

// Of every kind, in allocation.cpp and beside.cpp.
void survives_failing_allocations(Trial& trial);
void live_beside_each_other(Trial& trial);

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
