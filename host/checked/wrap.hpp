// Tables of plugins whose functions are checked: all that the headers define.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace sluice::registry::checked {

class Watch;

// A function that is checked, and the thread rule that is checked, in the words of the header.
struct Listed {
    const char* interface;  // "sluice.transform/1"
    const char* function;
    const char* tag;
};

// How the tables of an interface are wrapped.
struct Wrapper {
    const char* id;
    std::shared_ptr<const void> (*make)(Watch& watch, const void* table);
    std::vector<Listed> (*list)();
};

// `id` is one of those that this host knows.
std::shared_ptr<const void> wrap_table(Watch& watch, const char* id, const void* table);

std::vector<Listed> list_checked();

// Each in a file of its own.
std::vector<Wrapper> device_wrappers();
std::vector<Wrapper> model_wrappers();
std::vector<Wrapper> data_wrappers();
std::vector<Wrapper> training_wrappers();
Wrapper libraries_wrapper();

}  // namespace sluice::registry::checked
