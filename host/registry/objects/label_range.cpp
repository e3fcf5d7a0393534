#include "registry/objects/label_range.hpp"

#include <fmt/format.h>

#include <utility>

namespace sluice::registry {

std::optional<LabelRange> label_range(const sluice_layer_traits& traits, std::span<const sluice_tensor_spec> inputs,
                                      std::size_t index) {
    const std::uint8_t code = inputs[index].dtype.code;
    const bool is_integer = code == SLUICE_CODE_INT || code == SLUICE_CODE_UINT;
    if (!is_integer || index >= 64 || (traits.label_inputs >> index & 1) == 0) {
        return std::nullopt;
    }
    LabelRange range{.classes = traits.label_classes, .ignored = std::nullopt};
    if (range.classes == 0 && inputs[0].rank > 0) {
        range.classes = inputs[0].shape[inputs[0].rank - 1];
    }
    if ((traits.flags & SLUICE_LAYER_IGNORES_LABEL) != 0) {
        range.ignored = traits.ignored_label;
    }
    return range;
}

std::string to_string(const LabelRange& range, std::span<const std::string> names) {
    std::string classes = fmt::format("classes 0 to {}", range.classes - 1);
    if (range.classes > 0 && std::cmp_less_equal(range.classes, names.size())) {
        classes += fmt::format(" ('{}' to '{}')", names.front(), names[static_cast<std::size_t>(range.classes - 1)]);
    }
    return range.ignored ? fmt::format("{} and {}, which it ignores", classes, *range.ignored) : classes;
}

}  // namespace sluice::registry
