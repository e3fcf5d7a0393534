// The processes that run a strategy's replicas (kind/processes.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "registry/objects/strategy.hpp"
#include "sluice/kind/processes.h"

namespace sluice::registry {

class Processes {
public:
    // One process: this one.
    Processes() = default;
    // The strategy must outlive it. A strategy without sluice.processes/1 has one process.
    explicit Processes(const Strategy& strategy);

    // Rank of this process, from 0.
    [[nodiscard]] std::uint32_t number() const { return number_; }
    [[nodiscard]] std::uint32_t count() const { return count_; }
    [[nodiscard]] bool is_first() const { return number_ == 0; }

    // The functions below return when all processes have called them with the same `name`. They throw
    // Error(Exit::replica_lost) that names the processes that did not arrive within `seconds`; 0: no limit.
    // [one thread at a time]

    // All-gather: returns the value of each process, in rank order.
    template <class T>
    [[nodiscard]] std::vector<T> gather(const T& own, std::string_view name, double seconds) const {
        static_assert(std::is_trivially_copyable_v<T>);
        std::vector<T> all(count_, own);
        gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)), name, seconds);
        return all;
    }
    [[nodiscard]] std::vector<std::string> gather_texts(std::string_view own, std::string_view name,
                                                        double seconds) const;
    // Broadcast: returns the text of process 0.
    [[nodiscard]] std::string from_first(std::string_view own, std::string_view name, double seconds) const {
        return gather_texts(is_first() ? own : "", name, seconds).front();
    }

private:
    void gather(std::span<const std::byte> own, std::span<std::byte> all, std::string_view name, double seconds) const;

    const Strategy* strategy_ = nullptr;
    const sluice_processes* table_ = nullptr;
    std::uint32_t number_ = 0;
    std::uint32_t count_ = 1;
};

}  // namespace sluice::registry
