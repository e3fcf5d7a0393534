// Memory that a plugin fills in a call: copies of the host's, with guards around them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/tight_bytes.hpp"
#include "checked/breach.hpp"
#include "sluice/tensor.h"

namespace sluice::registry::checked {

class OutputMemory {
public:
    // In place of `theirs`. `filled`: whether the plugin writes all elements, or some that it finds there.
    enum class Filled { whole, already };
    void* lend(void* theirs, std::size_t element, std::size_t count, Filled filled);
    // Of a struct that begins with its size.
    void* lend_sized(void* theirs);
    // Of a field of a sample; what was lent for it before is not asked for again.
    void* lend_field(std::uint32_t number, void* theirs, const sluice_tensor_spec& spec);

    // After the call. is_ok: it has returned SLUICE_OK.
    void check(bool is_ok, Findings& found) const;
    // Gives the host what the plugin has written.
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
        void* theirs;  // null: it has been lent again
        TightBytes ours;
    };

    std::vector<Output> outputs_;
    std::vector<SampleField> fields_;
};

}  // namespace sluice::registry::checked
