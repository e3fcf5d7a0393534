// Recorded windows as a host lends them to observers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "check/cases/observers/fenced_bytes.hpp"
#include "profile/window.hpp"
#include "profile/window_view.hpp"

namespace sluice::check {

// Two steps with spans of every kind on threads of every kind, operations, tensors and points.
profile::Window full_window();
// Spans whose name and operation are SLUICE_NONE, and kinds of spans and threads that a newer host may have.
profile::Window odd_window();
// A window without steps, names and all that is in arrays.
profile::Window empty_window();

// A window whose structs and arrays are each followed by memory that cannot be read. None of it can be read when this
// object is gone.
class LentWindow {
public:
    // Structs are `more` bytes longer than those of this build, as in a newer host. No such byte is zero. `window` must
    // outlive this object.
    LentWindow(const profile::Window& window, std::size_t more);

    [[nodiscard]] const sluice_profile& get() const { return *lent_; }

private:
    template <class T>
    const T* lend(const T* values, std::uint64_t count, std::uint64_t size);

    profile::WindowView view_;
    std::deque<FencedBytes> memory_;
    const sluice_profile* lent_;
};

}  // namespace sluice::check
