// The sluice_error that a plugin gets in one checked call instead of the host's.
#pragma once

#include <cstdint>
#include <string_view>

#include "call_checks/breach.hpp"
#include "sluice/abi.h"

namespace sluice::call_checks {

class LentError {
public:
    // Returns the struct to pass to the plugin instead of `theirs`, which may be NULL.
    sluice_error* lend(sluice_error* theirs);
    // Call this after the plugin call. Copies the plugin's error to the host's struct if the call failed.
    void check(sluice_status status, Findings& found) const;
    // Replaces the message in the host's struct. Does nothing if the call had no sluice_error.
    void write(std::string_view message) const;

private:
    static constexpr std::uint64_t kUntouched = 0xDBDBDBDBDBDBDBDB;

    sluice_error* theirs_ = nullptr;
    struct {
        sluice_error error;
        std::uint64_t after;
    } ours_{};
};

}  // namespace sluice::call_checks
