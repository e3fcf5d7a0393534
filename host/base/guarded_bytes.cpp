#include "base/guarded_bytes.hpp"

#include <algorithm>
#include <cstring>

namespace sluice {
namespace {

constexpr std::uint8_t kGuardByte = 0x5A;

// All bytes are equal if the band equals itself shifted by one byte.
bool is_intact(std::span<const std::uint8_t> band) {
    return band.front() == kGuardByte && std::memcmp(band.data(), band.data() + 1, band.size() - 1) == 0;
}

std::size_t room_for(std::size_t bytes) {
    constexpr std::size_t kAlignment = 64;
    return bytes + 2 * GuardedBytes::kGuard + std::min(3 * bytes, GuardedBytes::kMostAfter) + kAlignment;
}

}  // namespace

GuardedBytes::GuardedBytes(std::size_t bytes, std::size_t element)
    : memory_(std::make_unique_for_overwrite<std::uint8_t[]>(room_for(bytes))), bytes_(bytes), all_(room_for(bytes)) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    begin_ = kGuard + (64 - address % 64) % 64 + element;
    std::fill_n(memory_.get(), begin_, kGuardByte);
    std::fill(memory_.get() + begin_ + bytes_, memory_.get() + all_, kGuardByte);
}

GuardedBytes::GuardedBytes(std::size_t bytes, std::size_t element, std::uint8_t fill) : GuardedBytes(bytes, element) {
    std::fill_n(data(), bytes_, fill);
}

GuardedBytes::GuardedBytes(std::span<const std::uint8_t> bytes, std::size_t element)
    : GuardedBytes(bytes.size(), element) {
    std::ranges::copy(bytes, data());
}

std::string_view GuardedBytes::damage() const {
    if (!is_intact({memory_.get(), begin_})) {
        return "before the beginning";
    }
    const std::size_t end = begin_ + bytes_;
    return is_intact({memory_.get() + end, all_ - end}) ? "" : "past the end";
}

}  // namespace sluice
