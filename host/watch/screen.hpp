// The terminal, while a frame fills it.
#pragma once

#include <string>

#include "watch/frame.hpp"

namespace sluice::watch {

class Screen {
public:
    // Takes the terminal over. Throws Error(Exit::config) if its kind (TERM) is unknown.
    Screen();
    // Restores it.
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    [[nodiscard]] int columns() const;
    [[nodiscard]] int lines() const;
    void show(const Frame& frame);
    // Waits for a key for so many milliseconds. Returns false if it asks to quit, or if the terminal was closed.
    bool wait(int milliseconds);
};

}  // namespace sluice::watch
