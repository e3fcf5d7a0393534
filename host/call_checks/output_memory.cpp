#include "call_checks/output_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "base/tensor.hpp"

namespace sluice::call_checks {
namespace {

constexpr std::byte kUnwritten{0xDB};
constexpr std::size_t kFence = 64;  // guard bytes after an output

bool is_unwritten(const std::byte* bytes, std::size_t count) {
    return std::all_of(bytes, bytes + count, [](std::byte one) { return one == kUnwritten; });
}

}  // namespace

void* OutputMemory::lend(void* theirs, std::size_t element, std::size_t count, Filled filled) {
    if (theirs == nullptr || count == 0) {
        return theirs;
    }
    const std::size_t bytes = element * count;
    auto ours = std::make_unique<std::byte[]>(bytes + kFence);
    std::fill_n(ours.get(), bytes + kFence, kUnwritten);
    if (filled == Filled::already) {
        std::memcpy(ours.get(), theirs, bytes);
    }
    return outputs_.emplace_back(Output{std::move(ours), theirs, element, count, false, filled == Filled::whole})
        .ours.get();
}

void* OutputMemory::lend_sized(void* theirs) {
    std::uint64_t size = 0;
    std::memcpy(&size, theirs, sizeof(size));
    void* const ours = lend(theirs, size, 1, Filled::already);
    if (size > 0) {
        outputs_.back().is_sized = true;
    }
    return ours;
}

// Copies the host's bytes, so that bytes that the plugin does not write are the same as without checks.
void* OutputMemory::lend_field(std::uint32_t number, void* theirs, const sluice_tensor_spec& spec) {
    for (SampleField& field : fields_) {
        field.theirs = field.number == number ? nullptr : field.theirs;
    }
    const std::span bytes(static_cast<const std::uint8_t*>(theirs), byte_count(spec));
    return fields_.emplace_back(SampleField{number, theirs, GuardedBytes(bytes, spec.dtype.bits / 8U)}).ours.data();
}

void OutputMemory::check(bool is_ok, Findings& found) const {
    for (const Output& output : outputs_) {
        const std::size_t bytes = output.element * output.count;
        if (!is_unwritten(output.ours.get() + bytes, kFence)) {
            found.push_back({Rule::past_the_end, fmt::format("writes past the end of an output of {} bytes", bytes)});
        }
        if (output.is_sized && std::memcmp(output.ours.get(), output.theirs, sizeof(std::uint64_t)) != 0) {
            found.push_back({Rule::struct_size, "changes the struct_size of a struct that the host made"});
        }
        for (std::size_t i = 0; i < output.count && is_ok && output.is_whole; ++i) {
            if (is_unwritten(output.ours.get() + i * output.element, output.element)) {
                found.push_back(
                    {Rule::unwritten, fmt::format("does not write element {} of {} of an output", i, output.count)});
                break;
            }
        }
    }
    for (const SampleField& field : fields_) {
        if (!field.ours.damage().empty()) {
            found.push_back(
                {Rule::past_the_end, fmt::format("writes {} of field {}", field.ours.damage(), field.number)});
        }
    }
}

void OutputMemory::copy_back() const {
    for (const Output& output : outputs_) {
        std::memcpy(output.theirs, output.ours.get(), output.element * output.count);
    }
    for (const SampleField& field : fields_) {
        if (field.theirs != nullptr) {
            std::memcpy(field.theirs, field.ours.bytes().data(), field.ours.bytes().size());
        }
    }
}

}  // namespace sluice::call_checks
