// A crop that is pushed below the transform or the source before it: of pictures, only the windows that are read are
// made. The sample is the same as without. Private to this folder.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/tensor_view.hpp"
#include "registry/objects/windows.hpp"

namespace sluice::data {

class Sources;
struct TransformStage;

struct Pushdown {
    std::optional<registry::WindowMaker> maker;  // the transform that makes the windows; nothing: the source
    registry::WindowChoice choice;               // the one that reads them
    // For each field that reaches the second, the number of the first's field that comes in windows; nothing: another.
    std::vector<std::optional<std::size_t>> made;
    std::vector<std::uint8_t> offered;  // the same as kind/window.h tells it to the second
    // For each field of the first, the slot that it is written to: the second's own where it leaves windows as they
    // are.
    std::vector<std::size_t> outputs;
};

// What one sample needs of it. Kept from sample to sample.
class PushedWindows {
public:
    // For the extents of what the first makes, one for each of its fields.
    std::span<sluice_extent> made_extents(const Pushdown& pair);
    // Asks the second; `slots` hold those that reach it. False where it reads something else than windows of what the
    // first makes: then the two run one after the other.
    bool choose(const Pushdown& pair, std::span<const TensorView> slots, const sluice_random_key& key);

    // For each field that the first writes; height 0 of those that do not come in windows.
    [[nodiscard]] std::span<const sluice_window> made() const { return made_windows_; }
    // For each field that reaches the second.
    [[nodiscard]] std::span<const sluice_extent> extents() const { return extents_; }
    [[nodiscard]] std::span<const sluice_window> windows() const { return windows_; }

private:
    std::vector<sluice_extent> made_extents_;
    std::vector<sluice_window> made_windows_;
    std::vector<sluice_extent> extents_;
    std::vector<sluice_window> windows_;
};

// Nothing where it is not possible. `later`: the slots that are read behind the second.
std::optional<Pushdown> find_pushdown(const TransformStage& first, const TransformStage& second,
                                      const std::vector<std::size_t>& later);
std::optional<Pushdown> find_pushdown(const Sources& first, const TransformStage& second,
                                      const std::vector<std::size_t>& later);

// Tells a transform which of its fields come as windows from what is before it; `pair` is nothing where none do. Throws
// Error(Exit::config) where it cannot do with that. `slots`: all of the chain.
void tell_of_windows(const std::optional<Pushdown>& pair, const TransformStage& stage);

}  // namespace sluice::data
