// Engines: the ways in which cuDNN can compute a graph. A choice is text, from which a later run makes the same again.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/target.hpp"

namespace sluice::cudnn {

struct EngineChoice {
    std::int64_t engine = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> knobs;  // type and value, in cuDNN's numbers

    bool operator==(const EngineChoice&) const = default;
    // "engine 34: 2=5 12=1"
    [[nodiscard]] std::string text() const;
    // Nothing where the text is none of text().
    [[nodiscard]] static std::optional<EngineChoice> of(std::string_view text);
};

// Engines that may be used.
struct EngineLimits {
    bool deterministic = false;  // the same bits each time
    bool exact = false;          // sums of products of all bits of float32: no TF32, Winograd or FFT
};

// What one of cuDNN's heuristics proposes and the limits admit, best first, at most `most`. CUDNN_HEUR_MODE_A counts, B
// computes what is likely fast; CUDNN_HEUR_MODE_FALLBACK names engines that compute more graphs.
[[nodiscard]] std::vector<EngineChoice> propose(const Descriptor& graph, const Target& target,
                                                const EngineLimits& limits, cudnnBackendHeurMode_t mode,
                                                std::size_t most);

}  // namespace sluice::cudnn
