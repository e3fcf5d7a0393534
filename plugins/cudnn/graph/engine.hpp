// An engine is one of the ways in which cuDNN can compute a graph. The text of a choice lets a later run repeat it.
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
    // Parses the result of text(); empty: the text is no such result.
    [[nodiscard]] static std::optional<EngineChoice> of(std::string_view text);
};

// Restricts the engines that may be used.
struct EngineLimits {
    bool deterministic = false;  // the same bits each time
    bool exact = false;          // sums of products of all float32 bits: no TF32, Winograd or FFT
};

// Returns the points along an axis of the tiles that the engine multiplies by Winograd's method; 0: it does not use it.
[[nodiscard]] std::int64_t winograd_points(const Descriptor& engine);

// Returns what one of cuDNN's heuristics proposes and the limits admit, best first, at most `most`. CUDNN_HEUR_MODE_A
// ranks engines by a quick estimate, CUDNN_HEUR_MODE_B by a more accurate and slower one. CUDNN_HEUR_MODE_FALLBACK
// names engines that compute more graphs.
[[nodiscard]] std::vector<EngineChoice> propose(const Descriptor& graph, const Target& target,
                                                const EngineLimits& limits, cudnnBackendHeurMode_t mode,
                                                std::size_t most);

}  // namespace sluice::cudnn
