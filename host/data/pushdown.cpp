#include "data/pushdown.hpp"

#include <algorithm>

#include "data/chain_state.hpp"

namespace sluice::data {
namespace {

// Which of its fields is in the slot.
std::optional<std::size_t> field_in(const TransformStage& stage, SlotNumber slot) {
    const std::size_t count = stage.transform.written().size();
    return slot >= stage.first_written && slot - stage.first_written < count ? std::optional(slot - stage.first_written)
                                                                             : std::nullopt;
}

// For each field of the first, the number of the second's of the same name; empty where one has none, or the second
// writes others too.
std::vector<std::size_t> same_names(const TransformStage& first, const TransformStage& second) {
    const auto written = second.transform.written();
    std::vector<std::size_t> numbers;
    for (const registry::Field& field : first.transform.written()) {
        const auto same = std::ranges::find(written, field.name, &registry::Field::name);
        if (same == written.end()) {
            return {};
        }
        numbers.push_back(static_cast<std::size_t>(same - written.begin()));
    }
    return numbers.size() == written.size() ? numbers : std::vector<std::size_t>{};
}

sluice_extent extent_of(const sluice_tensor_spec& spec) {
    const bool is_picture = spec.dtype == kUint8 && (spec.rank == 2 || spec.rank == 3);
    return is_picture ? sluice_extent{spec.shape[0], spec.shape[1]} : sluice_extent{-1, -1};
}

}  // namespace

std::optional<Pushdown> find_pushdown(const TransformStage& first, const TransformStage& second,
                                      const std::vector<SlotNumber>& later) {
    const auto maker = registry::WindowMaker::of(first.transform);
    const auto choice = registry::WindowChoice::of(second.transform);
    if (!maker || !choice ||
        std::ranges::any_of(later, [&](SlotNumber slot) { return field_in(first, slot).has_value(); })) {
        return std::nullopt;
    }
    Pushdown pair{
        .maker = *maker, .choice = *choice, .made = {}, .outputs = {}, .makes = first.transform.written().size()};
    std::ranges::transform(second.incoming, std::back_inserter(pair.made),
                           [&](SlotNumber slot) { return field_in(first, slot); });
    if (choice->is_as_it_is()) {
        pair.outputs = same_names(first, second);
        if (pair.outputs.empty()) {
            return std::nullopt;
        }
    }
    return pair;
}

void tell_of_windows(const TransformStage* before, const TransformStage& stage) {
    const auto choice = registry::WindowChoice::of(stage.transform);
    if (!choice) {
        return;
    }
    std::vector<std::uint8_t> from_maker(stage.incoming.size());
    if (before != nullptr && before->pushdown) {
        std::ranges::transform(before->pushdown->made, from_maker.begin(),
                               [](const std::optional<std::size_t>& made) { return made ? 1 : 0; });
    }
    choice->expect(from_maker, stage.origin);
}

bool PushedWindows::choose(const Pushdown& pair, const registry::WorkerContext& context,
                           std::span<const sluice_tensor> fields, std::span<const TensorView> slots,
                           const sluice_random_key& key) {
    made_extents_.resize(pair.makes);
    made_windows_.resize(pair.makes);
    extents_.resize(pair.made.size());
    windows_.resize(pair.made.size());
    pair.maker.extents(context, fields, made_extents_);
    for (std::size_t i = 0; i < pair.made.size(); ++i) {
        extents_[i] = pair.made[i] ? made_extents_[*pair.made[i]] : extent_of(slots[i].spec);
    }
    pair.choice.choose(extents_, key, windows_);
    for (std::size_t i = 0; i < pair.made.size(); ++i) {
        if (pair.made[i].has_value() != (windows_[i].height > 0)) {
            return false;
        }
        if (pair.made[i]) {
            made_windows_[*pair.made[i]] = windows_[i];
        }
    }
    return true;
}

}  // namespace sluice::data
