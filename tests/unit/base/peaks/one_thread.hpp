// The threads of a replica that has one. Counts the calls of parallel_for().
#pragma once

#include "sluice/host.h"

namespace sluice::test {

class OneThread {
public:
    [[nodiscard]] const sluice_threads* api() const { return &api_; }
    [[nodiscard]] int calls() const { return calls_; }

private:
    static void run(const sluice_threads* threads, std::int64_t n, std::int64_t /*grain*/,
                    void (*body)(void*, std::int64_t, std::int64_t, std::uint32_t) noexcept, void* context) noexcept {
        ++*static_cast<int*>(threads->impl);
        body(context, 0, n, 0);
    }

    mutable int calls_ = 0;
    sluice_threads api_{
        .struct_size = sizeof(sluice_threads), .impl = &calls_, .count = 1, .reserved = 0, .parallel_for = run};
};

}  // namespace sluice::test
