// Chains that run as one pass over memory: [begin] [add] cuts, or [begin] cuts [add], where cuts are relu or dropout or
// both in any order, and begin is batch_norm or scale. Each part may be missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cuda/cuts.cuh"
#include "kernels/kernels.hpp"

namespace sluice::cudnn {

// What the layers of a chain from one of them on do, in the order of computing.
struct CutLayers {
    float scale = 1.0F;  // of what comes into a chain that begins with scale
    bool relu = false;
    Join join = Join::none;
    std::uint32_t dropout = 0;  // which layer of the chain, where rate > 0
    double rate = 0.0;
    // Inputs of the launch. Of a leading add it is the second that counts as the chain's first: where both are one
    // tensor, its gradient comes second, as the plan has it.
    std::uint32_t first = 0;
    std::uint32_t outside = 1;
    bool adds_first = false;    // the gradient of the first input is added to what is there
    bool adds_outside = false;  // and that of what add takes from outside the chain
    bool trains = false;

    [[nodiscard]] bool joins() const { return join != Join::none; }
    // Whether backward needs a bit for each element: a dropout by itself is drawn again.
    [[nodiscard]] bool has_bits() const { return trains && relu; }
    // Those of one launch.
    [[nodiscard]] Cuts cuts(const sluice_launch& launch) const;
    // Tells what may share memory. with_first: the chain's first value too, and its gradient.
    void share_memory(const sdk::KernelSink& sink, bool with_first = true) const;
};

// From `begin`, 1 behind a batch_norm, to in front of `end`. outside: which input of the launch is the first that may
// join. Nothing where it is another chain.
std::optional<CutLayers> read_cuts(const sdk::Chain& chain, std::size_t begin, std::size_t end,
                                   std::uint32_t outside = 1);
inline std::optional<CutLayers> read_cuts(const sdk::Chain& chain, std::size_t begin) {
    return read_cuts(chain, begin, chain.size());
}

bool is_cut_chain(const sdk::Chain& chain);
// batch_norm and cuts.
bool is_norm_chain(const sdk::Chain& chain);
// Convolutions, and batch_norm with cuts, in turn: see conv_chain.cpp.
bool is_conv_chain(const sdk::Chain& chain);
// image_to_tensor, and a cast of what it makes.
bool is_cast_image(const sdk::Chain& chain);

// Bytes of the bits of a tensor of n elements.
inline std::uint64_t bit_bytes(std::int64_t n) { return static_cast<std::uint64_t>((n + kGroup - 1) / kGroup); }

// "3 layers in one pass"
std::string note_of(const sdk::Chain& chain);

}  // namespace sluice::cudnn
