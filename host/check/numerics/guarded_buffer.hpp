// Device memory between two guard bands, which show whether a kernel writes outside of it.
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

    // The address is aligned as the device reports, and no further.
    [[nodiscard]] void* data() const;
    // write() and poison() also renew the guard bands. bytes.size() must be the size of the buffer.
    void write(std::span<const std::byte> bytes);
    // Sets all bytes to 0xFF, which is NaN in every floating-point type.
    void poison();

    [[nodiscard]] std::vector<std::byte> read() const;
    // True if the contents differ from what was last written by write() or poison().
    [[nodiscard]] bool has_changed() const;
    // The guard band that was overwritten: "before the beginning" or "past the end"; empty: none.
    [[nodiscard]] std::string_view damage() const;

private:
    void upload();
    [[nodiscard]] std::vector<std::byte> download() const;

    // Bytes of one guard band.
    [[nodiscard]] std::ptrdiff_t guard() const { return static_cast<std::ptrdiff_t>(guard_); }

    const Workbench& bench_;
    std::uint64_t bytes_;
    std::uint64_t guard_;
    registry::Block block_;
    std::vector<std::byte> written_;  // guard bands included
};

}  // namespace sluice::check
