#include "check/contract/thread_group.hpp"

#include <future>
#include <thread>
#include <vector>

namespace sluice::check {

void run_on_threads(std::size_t count, const std::function<void(std::size_t)>& body) {
    std::promise<bool> all_started;
    const std::shared_future<bool> may_run = all_started.get_future().share();
    std::vector<std::jthread> threads;  // last, because the threads use the others until they are joined
    try {
        for (std::size_t thread = 0; thread < count; ++thread) {
            threads.emplace_back([&body, may_run, thread] {
                if (may_run.get()) {
                    body(thread);
                }
            });
        }
    } catch (...) {
        all_started.set_value(false);
        throw;
    }
    all_started.set_value(true);
}

}  // namespace sluice::check
