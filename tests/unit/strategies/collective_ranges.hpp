// Tests of collectives share this: ranges, threads that start them, and the right sums.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

#include "base/tensor.hpp"
#include "sluice/kind/strategy.h"

namespace sluice::test {

inline const sluice_threads kAlone{
    sizeof(sluice_threads), nullptr, 1, 0,
    [](const sluice_threads*, std::int64_t n, std::int64_t,
       void (*body)(void*, std::int64_t, std::int64_t, std::uint32_t) noexcept, void* context) noexcept {
        if (n > 0) {
            body(context, 0, n, 0);
        }
    }};

template <class T>
sluice_collective range_of(std::vector<T>& values, std::uint32_t replica, std::uint32_t kind, std::string_view name) {
    const sluice_dtype dtype = sizeof(T) == sizeof(double) ? kFloat64 : kFloat32;
    return {.struct_size = sizeof(sluice_collective),
            .kind = kind,
            .replica = replica,
            .data = values.data(),
            .count = values.size(),
            .dtype = dtype,
            .wire = dtype,
            .name = {name.data(), name.size()},
            .threads = &kAlone,
            .stream = nullptr};
}

inline void on_threads(std::uint32_t count, const std::function<void(std::uint32_t)>& body) {
    std::vector<std::jthread> threads;
    for (std::uint32_t i = 0; i < count; ++i) {
        threads.emplace_back(body, i);
    }
}

// Computes sum(0, n) = sum(0, m) + sum(m, n), where m is the largest power of two below n.
template <class T>
T tree_sum(const std::vector<std::vector<T>>& values, std::size_t element, std::size_t begin, std::size_t count) {
    if (count == 1) {
        return values[begin][element];
    }
    std::size_t left = 1;
    while (2 * left < count) {
        left *= 2;
    }
    return tree_sum(values, element, begin, left) + tree_sum(values, element, begin + left, count - left);
}

// Returns the same values on each call.
template <class T>
std::vector<std::vector<T>> random_values(std::size_t replicas, std::size_t count) {
    std::mt19937 random(7);
    std::vector<std::vector<T>> values(replicas, std::vector<T>(count));
    for (auto& range : values) {
        for (T& value : range) {
            value = std::normal_distribution<T>()(random);
        }
    }
    return values;
}

}  // namespace sluice::test
