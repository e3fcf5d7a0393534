// Crop pushdown: a crop is pushed below the transform or source before it, which then makes only the windows of
// pictures that the crop reads. The sample is the same as without pushdown. Private to this folder.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/tensor_view.hpp"
#include "data/chain/transform_stage.hpp"
#include "registry/optional/windows.hpp"

namespace sluice::data {

class Sources;

// A pair of neighbours: the first makes windows, the second chooses and reads them.
struct Pushdown {
    std::optional<registry::WindowMaker> maker;  // the first, if it is a transform; std::nullopt: the source
    registry::WindowChoice choice;               // the second
    // For each field that reaches the second: the number of the first's field that becomes a window; std::nullopt: the
    // field is not one of them.
    std::vector<std::optional<std::size_t>> made;
    std::vector<std::uint8_t> offered;  // the same as flags for the second (kind/window.h)
    // For each field of the first, the slot that it is written to. This is the second's slot if the second leaves
    // windows unchanged.
    std::vector<SlotNumber> outputs;
};

// The windows of one sample. Kept from sample to sample, so that nothing is allocated.
class PushedWindows {
public:
    // The caller fills these with the whole extents of the first's fields, one for each.
    std::span<sluice_extent> made_extents(const Pushdown& pair);
    // Lets the second choose its windows. `incoming`: the fields that reach it; empty if they are not read yet. False
    // if it does not read windows of exactly the first's fields; then the two run one after the other.
    bool choose(const Pushdown& pair, std::span<const TensorView> incoming, const sluice_random_key& key);

    // The window of each field that the first writes; height 0: not a window.
    [[nodiscard]] std::span<const sluice_window> made() const { return made_windows_; }
    // Whole extent and window of each field that reaches the second.
    [[nodiscard]] std::span<const sluice_extent> extents() const { return extents_; }
    [[nodiscard]] std::span<const sluice_window> windows() const { return windows_; }

private:
    std::vector<sluice_extent> made_extents_;
    std::vector<sluice_window> made_windows_;
    std::vector<sluice_extent> extents_;
    std::vector<sluice_window> windows_;
};

// std::nullopt if pushdown is not possible. `later`: the slots that are read after the second.
std::optional<Pushdown> find_pushdown(const TransformStage& first, const TransformStage& second,
                                      const std::vector<SlotNumber>& later);
std::optional<Pushdown> find_pushdown(const Sources& first, const TransformStage& second,
                                      const std::vector<SlotNumber>& later);

// Informs a transform which of its fields arrive as windows; `pair` is std::nullopt if none do. Throws
// Error(Exit::config) if the transform does not accept that.
void announce_windows(const std::optional<Pushdown>& pair, const TransformStage& stage);

}  // namespace sluice::data
