// Decides which layers get 16 bits, from the autocast categories of all layers: allow gains from it, infer follows its
// neighbours, deny needs float32, clear takes any type. The rules are those of TensorFlow's automatic mixed precision.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::plan {

struct AutocastNode {
    std::int32_t category = 0;  // SLUICE_COLOUR_...
    std::string path;
    std::vector<std::size_t> reads;  // the nodes whose outputs it reads; all precede it
};

struct AutocastDecision {
    bool low = false;  // stored in the 16-bit type
    std::string reason;
};

// 1. allow nodes are low.
// 2. deny nodes are not low. Neither are the infer and clear nodes after them, up to the next allow node; a clear node
//    only if it leads to an infer or deny node.
// 3. infer and clear nodes between low nodes are low.
// 4. clear nodes next to a low node are low. All others stay in float32.
std::vector<AutocastDecision> decide_autocast(const std::vector<AutocastNode>& nodes);

}  // namespace sluice::plan
