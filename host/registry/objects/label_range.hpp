// The class numbers that a layer accepts according to its traits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sluice/kind/layer.h"

namespace sluice::registry {

struct LabelRange {
    std::int64_t classes = 0;             // accepts 0 to classes - 1
    std::optional<std::int64_t> ignored;  // also accepted

    [[nodiscard]] bool takes(std::int64_t label) const {
        return (label >= 0 && label < classes) || (ignored && label == *ignored);
    }
};

// A layer that reads a field of class numbers.
struct LabelReader {
    std::string field;
    std::string name;  // "loss 'softmax_cross_entropy'": for messages
    LabelRange range;
};

// The range of input `index`; nothing if that input does not hold class numbers.
std::optional<LabelRange> label_range(const sluice_layer_traits& traits, std::span<const sluice_tensor_spec> inputs,
                                      std::size_t index);

// "classes 0 to 9 ('cat' to 'dog') and 255, which it ignores". `names`: class names by number, as far as known.
std::string to_string(const LabelRange& range, std::span<const std::string> names = {});

}  // namespace sluice::registry
