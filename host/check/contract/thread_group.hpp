// Threads of a case that work together, and may wait for each other.
#pragma once

#include <cstddef>
#include <functional>

namespace sluice::check {

// Calls body(thread) for each thread below `count`, on a thread of its own, and returns when all calls have. `body`
// must not throw. If a thread cannot be started, `body` is never called, so that no thread waits for one that is
// missing. Then the std::system_error of that thread is thrown.
void run_on_threads(std::size_t count, const std::function<void(std::size_t)>& body);

}  // namespace sluice::check
