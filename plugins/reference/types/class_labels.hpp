// Shared by layers that compare a prediction [N, ..., K] with class numbers [N, ...].
#pragma once

#include <optional>

#include "sluice/sdk/labels.hpp"
#include "types/checks.hpp"

namespace sluice::reference {

using IgnoredLabel = std::optional<std::int64_t>;

// Reads the option ignore_label.
IgnoredLabel ignored_label(const sdk::Options& options);

// Returns the traits of a layer whose input 1 may hold class numbers below `classes`; 0: below the channels of input 0.
sluice_layer_traits label_traits(const TraitValues& values, const IgnoredLabel& ignored, std::int64_t classes = 0);

// Expects input 0 to be an activation [N, ..., K] with at least `least` channels.
void expect_scores(std::string_view layer, Specs inputs, std::int64_t least);
// Calls expect_scores(), and expects input 1 to hold one class number for each position: [N, ...] of uint8, int32 or
// int64. [N] also fits [N, 1, 1, K].
void expect_labels(std::string_view layer, Specs inputs, std::int64_t least);
// Expects input 1 to hold floats of the prediction's shape and type. ignore_label must not be set, because floats
// cannot be ignored.
void expect_floats(std::string_view layer, Specs inputs, const IgnoredLabel& ignored);
// Calls expect_scores(), and expects input 1 to hold class numbers, or floats: a probability for each class at each
// position. [N, K] also fits [N, 1, 1, K].
void expect_classes(std::string_view layer, Specs inputs, std::int64_t least, const IgnoredLabel& ignored);

// The class numbers of one tensor.
class Targets {
public:
    Targets(const void* data, sluice_dtype dtype, const IgnoredLabel& ignored)
        : labels_(data, dtype), ignored_(ignored) {}
    // Returns the class number of position i; nullopt if it is ignored.
    std::optional<std::int64_t> operator[](std::int64_t i) const {
        const std::int64_t label = labels_[i];
        return ignored_ && label == *ignored_ ? std::nullopt : std::optional(label);
    }

private:
    sdk::Labels labels_;
    IgnoredLabel ignored_;
};

}  // namespace sluice::reference
