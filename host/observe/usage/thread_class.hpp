// Finds out by a thread's name what it works for.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace sluice::observe {

enum class ThreadClass : std::size_t { compute, input, observers, exchange, other };

constexpr std::array<std::string_view, 5> kThreadClasses = {"compute", "input", "observers", "exchange", "other"};

// `name` is that of /proc/self/task/ID/comm. Threads that nobody named have the name of the thread that started them;
// so those of OpenMP have `process_name`, as the training loop, or that of a replica.
ThreadClass class_of_thread(std::string_view name, std::string_view process_name);

}  // namespace sluice::observe
