#include "data/chain/pushdown.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "data/chain/sources.hpp"

namespace sluice::data {
namespace {

// The first of the pair, which makes windows: its fields, their first slot, and which of them it can make as windows.
struct Maker {
    std::optional<registry::WindowMaker> transform;  // std::nullopt: the sources
    std::span<const registry::Field> fields;
    SlotNumber first_slot;
    std::vector<std::uint8_t> has_windows;

    // The number of the field that it can write to this slot as a window.
    [[nodiscard]] std::optional<std::size_t> field_in(SlotNumber slot) const {
        const std::size_t number = slot - first_slot;
        return slot >= first_slot && number < fields.size() && has_windows[number] != SLUICE_WINDOWS_NONE
                   ? std::optional(number)
                   : std::nullopt;
    }
};

// The output slots if the second leaves windows unchanged: a window goes straight to the second's field of the same
// name. Empty if a window has no such field, or if the second writes other fields too.
std::vector<SlotNumber> output_slots(const Maker& first, const TransformStage& second) {
    const auto written = second.transform.written();
    std::vector<SlotNumber> slots;
    std::size_t windows = 0;
    for (std::size_t i = 0; i < first.fields.size(); ++i) {
        if (first.has_windows[i] == SLUICE_WINDOWS_NONE) {
            slots.push_back(first.first_slot + i);
            continue;
        }
        const auto same = std::ranges::find(written, first.fields[i].name, &registry::Field::name);
        if (same == written.end()) {
            return {};
        }
        slots.push_back(second.first_written + static_cast<std::size_t>(same - written.begin()));
        ++windows;
    }
    return windows == written.size() ? slots : std::vector<SlotNumber>{};
}

std::optional<Pushdown> find(const Maker& first, const TransformStage& second, const std::vector<SlotNumber>& later) {
    const auto choice = registry::WindowChoice::of(second.transform);
    if (!choice || std::ranges::any_of(later, [&](SlotNumber slot) { return first.field_in(slot).has_value(); })) {
        return std::nullopt;
    }
    std::vector<std::optional<std::size_t>> made;
    std::ranges::transform(second.incoming, std::back_inserter(made),
                           [&](SlotNumber slot) { return first.field_in(slot); });
    std::vector<std::uint8_t> offered;
    std::ranges::transform(made, std::back_inserter(offered), [&](const std::optional<std::size_t>& number) {
        const bool is_shrunk_too = first.transform && number && first.fields[*number].role == SLUICE_FIELD_IMAGE;
        return static_cast<std::uint8_t>(!number         ? SLUICE_WINDOWS_NONE
                                         : is_shrunk_too ? SLUICE_WINDOWS_ANY
                                                         : SLUICE_WINDOWS_UNSHRUNK);
    });
    std::vector<SlotNumber> outputs(first.fields.size());
    std::iota(outputs.begin(), outputs.end(), first.first_slot);
    if (choice->copies_windows()) {
        outputs = output_slots(first, second);
    }
    if (outputs.empty()) {
        return std::nullopt;
    }
    return Pushdown{.maker = first.transform,
                    .choice = *choice,
                    .made = std::move(made),
                    .offered = std::move(offered),
                    .outputs = std::move(outputs)};
}

constexpr sluice_extent kNoPicture = {-1, -1};

sluice_extent extent_of(const sluice_tensor_spec& spec) {
    const bool is_picture =
        (spec.dtype == kUint8 && (spec.rank == 2 || spec.rank == 3)) || (spec.dtype == kFloat32 && spec.rank == 3);
    return is_picture ? sluice_extent{spec.shape[0], spec.shape[1]} : kNoPicture;
}

}  // namespace

std::optional<Pushdown> find_pushdown(const TransformStage& first, const TransformStage& second,
                                      const std::vector<SlotNumber>& later) {
    const auto maker = registry::WindowMaker::of(first.transform);
    if (!maker) {
        return std::nullopt;
    }
    const auto fields = first.transform.written();
    return find({maker, fields, first.first_written, std::vector<std::uint8_t>(fields.size(), SLUICE_WINDOWS_ANY)},
                second, later);
}

std::optional<Pushdown> find_pushdown(const Sources& first, const TransformStage& second,
                                      const std::vector<SlotNumber>& later) {
    const auto has_windows = first.has_windows();
    if (has_windows.empty()) {
        return std::nullopt;
    }
    return find({std::nullopt, first.fields(), 0, {has_windows.begin(), has_windows.end()}}, second, later);
}

void announce_windows(const std::optional<Pushdown>& pair, const TransformStage& stage) {
    if (const auto choice = registry::WindowChoice::of(stage.transform)) {
        choice->expect(pair ? pair->offered : std::vector<std::uint8_t>(stage.incoming.size()), stage.origin);
    }
}

std::span<sluice_extent> PushedWindows::made_extents(const Pushdown& pair) {
    made_extents_.resize(pair.outputs.size());
    return made_extents_;
}

bool PushedWindows::choose(const Pushdown& pair, std::span<const TensorView> incoming, const sluice_random_key& key) {
    made_windows_.assign(pair.outputs.size(), {});
    extents_.resize(pair.made.size());
    windows_.resize(pair.made.size());
    for (std::size_t i = 0; i < pair.made.size(); ++i) {
        const sluice_extent whole = incoming.empty() ? kNoPicture : extent_of(incoming[i].spec);
        extents_[i] = pair.made[i] ? made_extents_[*pair.made[i]] : whole;
    }
    pair.choice.choose(extents_, pair.offered, key, windows_);
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
