// The sluice_error that a plugin is lent for one call.
#pragma once

#include <cstdint>
#include <string_view>

#include "checked/breach.hpp"
#include "sluice/abi.h"

namespace sluice::registry::checked {

class LentError {
public:
    // In place of `theirs`.
    sluice_error* lend(sluice_error* theirs);
    // After a call with that status. Gives the host what the plugin has written.
    void check(sluice_status status, Findings& found) const;
    // What the host gets in place of what the plugin has written. Nothing if no error was lent.
    void write(std::string_view message) const;

private:
    static constexpr std::uint64_t kUntouched = 0xDBDBDBDBDBDBDBDB;

    sluice_error* theirs_ = nullptr;
    struct {
        sluice_error error;
        std::uint64_t after;
    } ours_{};
};

}  // namespace sluice::registry::checked
