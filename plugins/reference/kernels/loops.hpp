// Shared by the kernels: loops over elements, sums in float64, gradients that are written or added.
//
// Every result is computed by one thread in an order that depends only on shapes, so that it does not depend on the
// number of threads.
#pragma once

#include <cstdint>
#include <memory>

#include "sluice/sdk/kernel.hpp"

namespace sluice::reference {

// Enough elements to be worth a thread of their own.
inline constexpr std::int64_t kGrain = 8192;

// Returns the grain of a loop in which each index stands for `work` elements.
inline std::int64_t grain_of(std::int64_t work) {
    return std::max<std::int64_t>(kGrain / std::max<std::int64_t>(work, 1), 1);
}

// Calls body(i) for each i of [0, n), in parallel.
template <class Body>
void for_each_element(const sluice_launch& launch, std::int64_t n, const Body& body) {
    sdk::parallel_for(launch.threads, n, kGrain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
        for (std::int64_t i = begin; i < end; ++i) {
            body(i);
        }
    });
}

// Returns the sum of term(i) over [0, n) in float64. Eight running sums let the compiler use vectors.
template <class Term>
double sum_of(std::int64_t n, const Term& term) {
    constexpr std::int64_t kLanes = 8;
    double lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
            lanes[lane] += term(i + lane);
        }
    }
    double sum = 0.0;
    for (; i < n; ++i) {
        sum += term(i);
    }
    for (const double lane : lanes) {
        sum += lane;
    }
    return sum;
}

// Writes value to *to, or adds it.
template <class T>
void put(T* to, double value, bool add) {
    *to = static_cast<T>(add ? static_cast<double>(*to) + value : value);
}

// A kernel of one node whose activations are of type T.
template <class T>
class NodeKernel : public sdk::Kernel {
protected:
    explicit NodeKernel(const sdk::Node& node) {
        for (std::uint32_t i = 0; i < node.inputs().size(); ++i) {
            accumulated_ |= std::uint64_t{node.accumulates_gradient(i)} << i;
        }
    }

    [[nodiscard]] bool adds_gradient(std::size_t index) const { return (accumulated_ >> index & 1) != 0; }

    // Writes or adds the gradient of input `index`, of n elements: element i is value(i). Does nothing if the gradient
    // is not wanted.
    template <class Value>
    void write_gradient(const sluice_launch& launch, std::size_t index, std::int64_t n, const Value& value) const {
        T* const to = sdk::input_gradient<T>(launch, index);
        if (to == nullptr) {
            return;
        }
        if (adds_gradient(index)) {
            for_each_element(launch, n, [&](std::int64_t i) { to[i] = static_cast<T>(to[i] + value(i)); });
        } else {
            for_each_element(launch, n, [&](std::int64_t i) { to[i] = static_cast<T>(value(i)); });
        }
    }

private:
    std::uint64_t accumulated_ = 0;
};

// A kernel of a layer that no gradient flows through.
class ForwardKernel : public sdk::Kernel {
public:
    void backward(const sluice_launch&) final {
        throw sdk::Failure(SLUICE_UNSUPPORTED, "this layer has no gradient: its backward should not be called");
    }
};

inline bool is_float64(const sluice_tensor_spec& spec) { return sdk::same(spec.dtype, sdk::kFloat64); }

// Makes K<float> or K<double>, by the type of input 0.
template <template <class> class K, class... Arguments>
std::unique_ptr<sdk::Kernel> make_typed(const sdk::Node& node, const Arguments&... arguments) {
    if (is_float64(node.inputs()[0])) {
        return std::make_unique<K<double>>(node, arguments...);
    }
    return std::make_unique<K<float>>(node, arguments...);
}

}  // namespace sluice::reference
