// One pass over weights, gradients and states, for any rule. A Rule has
//   kStates: the number of states
//   Scalars scalars(const sluice_step_scalars&): computes the step's scalars; one thread of a block calls it
//   void update(const Scalars&, float& weight, float gradient, float* states): updates one element
// Products and sums are rounded one by one, as on the CPU (see CMakeLists.txt).
#pragma once

#include "cuda/flat.cuh"
#include "cuda/launch.cuh"
#include "sluice/sdk/run.hpp"

namespace sluice::cudnn {

template <class Rule>
struct StatePointers {
    float* states[Rule::kStates + 1];  // the last is unused
};

template <class Rule>
__device__ void update_pack(const Rule& rule, const typename Rule::Scalars& scalars, float* weights,
                            const float* gradients, const StatePointers<Rule>& to, std::int64_t at) {
    Pack<float> weight = load_pack(weights + at);
    const Pack<float> gradient = load_pack(gradients + at);
    Pack<float> packs[Rule::kStates + 1];
    for (int s = 0; s < Rule::kStates; ++s) {
        packs[s] = load_pack(to.states[s] + at);
    }
    for (int k = 0; k < Pack<float>::kSize; ++k) {
        float states[Rule::kStates + 1];
        for (int s = 0; s < Rule::kStates; ++s) {
            states[s] = packs[s].values[k];
        }
        rule.update(scalars, weight.values[k], gradient.values[k], states);
        for (int s = 0; s < Rule::kStates; ++s) {
            packs[s].values[k] = states[s];
        }
    }
    store_pack(weights + at, weight);
    for (int s = 0; s < Rule::kStates; ++s) {
        store_pack(to.states[s] + at, packs[s]);
    }
}

template <class Rule>
__device__ void update_element(const Rule& rule, const typename Rule::Scalars& scalars, float* weights,
                               const float* gradients, const StatePointers<Rule>& to, std::int64_t i) {
    float states[Rule::kStates + 1];
    for (int s = 0; s < Rule::kStates; ++s) {
        states[s] = to.states[s][i];
    }
    rule.update(scalars, weights[i], gradients[i], states);
    for (int s = 0; s < Rule::kStates; ++s) {
        to.states[s][i] = states[s];
    }
}

template <class Rule>
__global__ void update_kernel(Rule rule, float* weights, const float* gradients, StatePointers<Rule> to,
                              std::int64_t count, std::int64_t packs, const sluice_step_scalars* scalars) {
    __shared__ typename Rule::Scalars shared[1];
    if (scalars->skip != 0) {
        return;
    }
    if (threadIdx.x == 0) {
        shared[0] = rule.scalars(*scalars);
    }
    __syncthreads();
    const typename Rule::Scalars mine = shared[0];
    for (std::int64_t p = first_index(); p < packs; p += index_stride()) {
        update_pack(rule, mine, weights, gradients, to, p * Pack<float>::kSize);
    }
    for (std::int64_t i = packs * Pack<float>::kSize + first_index(); i < count; i += index_stride()) {
        update_element(rule, mine, weights, gradients, to, i);
    }
}

template <class Rule>
void update_all(const sluice_optimizer_launch& launched, const Rule& rule) {
    StatePointers<Rule> to{};
    bool aligned = true;
    for (int s = 0; s < Rule::kStates; ++s) {
        to.states[s] = launched.states[s];
        aligned = aligned && is_pack_aligned(launched.states[s]);
    }
    const std::int64_t packs =
        aligned ? whole_packs(launched.count, launched.parameters, launched.gradients) : std::int64_t{0};
    const auto count = static_cast<std::int64_t>(launched.count);
    launch(launched.stream, blocks_for(packs > 0 ? packs : count), kThreads, update_kernel<Rule>, rule,
           launched.parameters, launched.gradients, to, count, packs, launched.scalars);
}

}  // namespace sluice::cudnn
