// Which layers get fewer bits, from the colours of all: allow gains, infer follows what is around it, deny needs
// float32, clear takes any type. The rules are those of TensorFlow's automatic mixed precision.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::plan {

struct ColouredNode {
    std::int32_t colour = 0;  // SLUICE_COLOUR_...
    std::string path;
    std::vector<std::size_t> reads;  // the nodes whose outputs it reads; all of them stand before it
};

struct Paint {
    bool low = false;  // in the type of 16 bits
    std::string reason;
};

// 1. allow is low. 2. deny is not, nor is what follows it, through infer and clear, up to an allow; a clear node only
// where it leads to an infer or a deny one. 3. infer and clear between low nodes are low. 4. So is clear that hangs on
// a low node. The others stay in float32.
std::vector<Paint> paint(const std::vector<ColouredNode>& nodes);

}  // namespace sluice::plan
