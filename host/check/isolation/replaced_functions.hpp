// Replaces functions that libraries call by name.
#pragma once

#include <map>
#include <string_view>
#include <vector>

struct link_map;

namespace sluice::check {

// Replacement functions by symbol name.
using StandIns = std::map<std::string_view, void*>;

template <class Function>
void* address_of(Function* function) {
    return reinterpret_cast<void*>(function);
}

class ReplacedFunctions {
public:
    ReplacedFunctions() = default;
    // Restores the original functions.
    ~ReplacedFunctions();
    ReplacedFunctions(const ReplacedFunctions&) = delete;
    ReplacedFunctions& operator=(const ReplacedFunctions&) = delete;

    // Replaces functions in the library that contains `address`, but not in libraries that it uses.
    void replace_in_library_of(const void* address, const StandIns& stand_ins);
    // Replaces functions in the program and in all loaded libraries.
    void replace_everywhere(const StandIns& stand_ins);

private:
    // The place at which a library looks up the address of a function.
    struct Slot {
        void** at;
        void* before;
    };
    void replace_in(const link_map& library, const StandIns& stand_ins);

    std::vector<Slot> slots_;
};

}  // namespace sluice::check
