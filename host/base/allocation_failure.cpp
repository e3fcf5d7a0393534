#include "base/allocation_failure.hpp"

#include <algorithm>
#include <string_view>

#include "base/machine.hpp"
#include "base/text/byte_size.hpp"

namespace sluice {
namespace {

constexpr std::string_view kOutOfMemory = "out of memory";
constexpr std::string_view kBlock = ": cannot allocate a block of ";

}  // namespace

AllocationFailure::AllocationFailure(std::size_t bytes) noexcept {
    const std::string size = format_size(bytes);  // so short that std::string stores it without an allocation
    char* end = std::ranges::copy(kOutOfMemory, text_.data()).out;
    end = std::ranges::copy(kBlock, end).out;
    std::ranges::copy(std::string_view(size).substr(0, 20), end);
}

std::string out_of_memory_text(const std::bad_alloc& failure) {
    const bool is_ours = dynamic_cast<const AllocationFailure*>(&failure) != nullptr;
    return (is_ours ? failure.what() : std::string(kOutOfMemory)) + memory_limits_text();
}

std::string allocation_text(const std::exception& failure) {
    const std::string_view text = failure.what();
    const bool is_ours = dynamic_cast<const AllocationFailure*>(&failure) != nullptr;
    return std::string(is_ours ? text.substr(kOutOfMemory.size() + 2) : text);
}

}  // namespace sluice
