// Settings of the process that a plugin call must not change: rounding, locale, working folder, signal handlers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "call_checks/breach.hpp"

namespace sluice::call_checks {

class ProcessState {
public:
    // is_whole: also reads the settings that cost system calls.
    explicit ProcessState(bool is_whole);
    // Compares with the current settings and returns the broken rule. Restores the rounding mode if it was changed.
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

}  // namespace sluice::call_checks
