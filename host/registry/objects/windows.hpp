// What transforms and sources offer so that a crop is pushed below what makes a picture: see kind/window.h.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "registry/objects/objects.hpp"
#include "sluice/kind/window.h"

namespace sluice::registry {

// What windows can be made of: an image, a label map, or a float32 tensor [height, width, channels], which is how
// images of more than 8 bits are told.
bool may_have_windows(const Field& field);

// The transform outlives it. Called for every sample: nothing is allocated unless it fails.
class WindowMaker {
public:
    // Nothing where it makes none.
    static std::optional<WindowMaker> of(const Transform& transform);

    // extents: one for each field that it writes.
    void extents(const WorkerContext& context, std::span<const sluice_tensor> fields,
                 std::span<sluice_extent> extents) const;
    void apply(const WorkerContext& context, std::span<const sluice_tensor> fields,
               std::span<const sluice_window> windows, const sluice_random_key& key, SampleWriter& writer) const;

private:
    WindowMaker(const Transform& transform, const sluice_window_maker& table);

    const Transform* transform_;
    const sluice_window_maker* table_;
    std::vector<Field> written_;  // of any height and width
};

class WindowSource {
public:
    // Nothing where it makes none of a picture. The source outlives it.
    static std::optional<WindowSource> of(const Source& source);

    // For each field SLUICE_WINDOWS_NONE or SLUICE_WINDOWS_UNSHRUNK.
    [[nodiscard]] std::span<const std::uint8_t> has_windows() const { return has_windows_; }
    // extents: one for each field; -1, -1 of those that do not come in windows.
    void extents(const WorkerContext& context, std::uint64_t index, std::uint64_t seed,
                 std::span<sluice_extent> extents) const;
    void read(const WorkerContext& context, std::uint64_t index, std::uint64_t seed,
              std::span<const sluice_window> windows, SampleWriter& writer) const;

private:
    WindowSource(const Source& source, const sluice_window_source& table);

    const Source* source_;
    const sluice_window_source* table_;
    std::vector<std::uint8_t> has_windows_;
    std::vector<Field> fields_;  // pictures of any height and width
};

class WindowChoice {
public:
    static std::optional<WindowChoice> of(const Transform& transform);

    // offered: SLUICE_WINDOWS_... of each incoming field. Once, before all else.
    void expect(std::span<const std::uint8_t> offered, const Origin& origin) const;
    // Whether each field that it writes is the window of the field of that name; there is no apply() then.
    [[nodiscard]] bool is_as_it_is() const { return table_->apply == nullptr; }
    // windows: one for each of the extents; offered: what expect() was told.
    void choose(std::span<const sluice_extent> extents, std::span<const std::uint8_t> offered,
                const sluice_random_key& key, std::span<sluice_window> windows) const;
    void apply(const WorkerContext& context, std::span<const sluice_tensor> fields,
               std::span<const sluice_extent> extents, std::span<const sluice_window> windows,
               const sluice_random_key& key, SampleWriter& writer) const;

private:
    WindowChoice(const Transform& transform, const sluice_window_choice& table)
        : transform_(&transform), table_(&table) {}

    const Transform* transform_;
    const sluice_window_choice* table_;
};

}  // namespace sluice::registry
