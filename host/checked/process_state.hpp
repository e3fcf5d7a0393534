// What belongs to the process, as it is before and after a call of a plugin.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "checked/breach.hpp"

namespace sluice::registry::checked {

class ProcessState {
public:
    // is_whole: with what takes system calls to know.
    explicit ProcessState(bool is_whole);
    // The rule that a call has broken meanwhile, and what it has changed; sets back how numbers are rounded.
    [[nodiscard]] std::optional<Finding> changed() const;

private:
    static constexpr std::size_t kSignals = 32;
    [[nodiscard]] static std::array<void*, kSignals> handlers();

    bool is_whole_;
    std::uint32_t numbers_;
    int rounding_;
    std::string locale_;
    void* thread_locale_ = nullptr;
    std::string folder_;
    std::array<void*, kSignals> handlers_{};
};

}  // namespace sluice::registry::checked
