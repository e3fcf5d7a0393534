// A crop that is pushed below the transform before it: of pictures, only the windows that are read are made. The
// sample is the same as without. Private to this folder.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/tensor_view.hpp"
#include "registry/windows.hpp"

namespace sluice::data {

struct TransformStage;

struct Pushdown {
    registry::WindowMaker maker;    // the first transform
    registry::WindowChoice choice;  // the second
    // For each field that reaches the second, the number of the first's field; nothing: from elsewhere.
    std::vector<std::optional<std::size_t>> made;
    // For each field of the first, the number of the second's of the same name, where the windows are left as they are.
    std::vector<std::size_t> outputs;
    std::size_t makes;  // fields of the first
};

// What one sample needs of it. Kept from sample to sample.
class PushedWindows {
public:
    // Asks both; `fields` reach the first, `slots` hold those that reach the second. False where the second reads
    // something else than windows of what the first makes: then the two run one after the other.
    bool choose(const Pushdown& pair, const registry::WorkerContext& context, std::span<const sluice_tensor> fields,
                std::span<const TensorView> slots, const sluice_random_key& key);

    // For each field that the first writes.
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

// Tells a transform which of its fields come as windows from the one before it, which is null for the first. Throws
// Error(Exit::config) where it cannot do with that.
void tell_of_windows(const TransformStage* before, const TransformStage& stage);

}  // namespace sluice::data
