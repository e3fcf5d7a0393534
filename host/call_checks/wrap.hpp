// Wraps plugin tables in checked ones, for every interface that the headers define.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace sluice::call_checks {

class CheckedComponent;

// A checked function and its thread rule as the header writes it.
struct CheckedFunction {
    const char* interface;  // "sluice.transform/1"
    const char* function;
    const char* tag;
};

// Wraps tables of one interface.
struct Wrapper {
    const char* id;
    std::shared_ptr<const void> (*make)(CheckedComponent& component, const void* table);
    std::vector<CheckedFunction> (*list)();
};

// `id` must be an interface that this host knows.
std::shared_ptr<const void> wrap_table(CheckedComponent& component, const char* id, const void* table);

std::vector<CheckedFunction> list_checked();

// Wrappers by kind, defined in device_contracts.cpp, model_contracts.cpp and so on.
std::vector<Wrapper> device_wrappers();
std::vector<Wrapper> model_wrappers();
std::vector<Wrapper> data_wrappers();
std::vector<Wrapper> training_wrappers();
Wrapper libraries_wrapper();

}  // namespace sluice::call_checks
