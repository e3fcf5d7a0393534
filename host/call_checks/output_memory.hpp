// Memory that a plugin fills in one checked call: copies of the host's memory with guard bytes around them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/guarded_bytes.hpp"
#include "call_checks/breach.hpp"
#include "sluice/tensor.h"

namespace sluice::call_checks {

class OutputMemory {
public:
    // whole: the plugin must write all elements; already: the host has set them, and the plugin may write some.
    enum class Filled { whole, already };
    // Returns the memory to pass to the plugin instead of `theirs`. `element`: bytes of one element.
    void* lend(void* theirs, std::size_t element, std::size_t count, Filled filled);
    // The same for a struct that begins with struct_size.
    void* lend_sized(void* theirs);
    // The same for a field of a sample. An earlier memory of the same field is still checked, but not copied back.
    void* lend_field(std::uint32_t number, void* theirs, const sluice_tensor_spec& spec);

    // Call this after the plugin call. is_ok: the call returned SLUICE_OK.
    void check(bool is_ok, Findings& found) const;
    // Copies the plugin's bytes to the host's memory.
    void copy_back() const;

private:
    struct Output {
        std::unique_ptr<std::byte[]> ours;
        void* theirs;
        std::size_t element;
        std::size_t count;
        bool is_sized;  // begins with struct_size
        bool is_whole;
    };
    struct SampleField {
        std::uint32_t number;
        void* theirs;  // null: the field was lent again later
        GuardedBytes ours;
    };

    std::vector<Output> outputs_;
    std::vector<SampleField> fields_;
};

}  // namespace sluice::call_checks
