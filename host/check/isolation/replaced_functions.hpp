// Puts other functions in the place of those that libraries call by name.
#pragma once

#include <map>
#include <string_view>
#include <vector>

struct link_map;

namespace sluice::check {

// By the names that a library refers to them.
using StandIns = std::map<std::string_view, void*>;

template <class Function>
void* address_of(Function* function) {
    return reinterpret_cast<void*>(function);
}

class ReplacedFunctions {
public:
    ReplacedFunctions() = default;
    // Puts back what was there.
    ~ReplacedFunctions();
    ReplacedFunctions(const ReplacedFunctions&) = delete;
    ReplacedFunctions& operator=(const ReplacedFunctions&) = delete;

    // In the library that `address` lies in, not in others that it uses.
    void replace_in_library_of(const void* address, const StandIns& stand_ins);
    // In the program and all libraries that are loaded.
    void replace_everywhere(const StandIns& stand_ins);

private:
    // Where a library looks up the address of a function.
    struct Slot {
        void** at;
        void* before;
    };
    void replace_in(const link_map& library, const StandIns& stand_ins);

    std::vector<Slot> slots_;
};

}  // namespace sluice::check
