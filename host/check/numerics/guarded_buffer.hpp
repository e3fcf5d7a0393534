// Device memory between two guard bands, so that a kernel that writes outside of it is found out.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "check/numerics/workbench.hpp"

namespace sluice::check {

class GuardedBuffer {
public:
    GuardedBuffer(const Workbench& bench, std::uint64_t bytes);

    // Aligned as the device says, and not further.
    [[nodiscard]] void* data() const;
    // Both renew the guard bands. bytes.size() is that of the buffer.
    void write(std::span<const std::byte> bytes);
    // All bytes 0xFF: NaN in every floating-point type.
    void poison();

    [[nodiscard]] std::vector<std::byte> read() const;
    // Whether it differs from what was last put into it.
    [[nodiscard]] bool has_changed() const;
    // "" or where a guard band was written: "before the beginning", "past the end".
    [[nodiscard]] std::string_view damage() const;

private:
    void upload();
    [[nodiscard]] std::vector<std::byte> download() const;

    // Bytes of a band.
    [[nodiscard]] std::ptrdiff_t guard() const { return static_cast<std::ptrdiff_t>(guard_); }

    const Workbench& bench_;
    std::uint64_t bytes_;
    std::uint64_t guard_;
    registry::Block block_;
    std::vector<std::byte> written_;  // guard bands included
};

}  // namespace sluice::check
