// Interfaces that let sources and transforms make only a window of a picture, so that a crop can move before the step
// that makes the picture (kind/window.h).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "registry/objects/field.hpp"
#include "registry/objects/sample_writer.hpp"
#include "registry/objects/source.hpp"
#include "registry/objects/transform.hpp"
#include "registry/objects/worker_context.hpp"
#include "sluice/kind/window.h"

namespace sluice::registry {

// True if windows of the field can be made: it must be an image, a label map, or a float32 tensor [height, width,
// channels], the form of images of more than 8 bits.
bool may_have_windows(const Field& field);

// The transform must outlive it. Its functions are called for every sample, so they allocate only if they fail.
class WindowMaker {
public:
    // Returns nothing if the transform cannot make windows.
    static std::optional<WindowMaker> of(const Transform& transform);

    // extents: one for each field that the transform writes.
    void extents(const WorkerContext& context, std::span<const sluice_tensor> fields,
                 std::span<sluice_extent> extents) const;
    void apply(const WorkerContext& context, std::span<const sluice_tensor> fields,
               std::span<const sluice_window> windows, const sluice_random_key& key, SampleWriter& writer) const;

private:
    WindowMaker(const Transform& transform, const sluice_window_maker& table);

    const Transform* transform_;
    const sluice_window_maker* table_;
    std::vector<Field> written_;  // with any height and width
};

class WindowSource {
public:
    // Returns nothing unless every picture has windows and at least one field does. The source must outlive it.
    static std::optional<WindowSource> of(const Source& source);

    // One value for each field: SLUICE_WINDOWS_NONE or SLUICE_WINDOWS_UNSHRUNK.
    [[nodiscard]] std::span<const std::uint8_t> has_windows() const { return has_windows_; }
    // extents: one for each field; {-1, -1} for fields without windows.
    void extents(const WorkerContext& context, std::uint64_t index, std::uint64_t seed,
                 std::span<sluice_extent> extents) const;
    void read(const WorkerContext& context, std::uint64_t index, std::uint64_t seed,
              std::span<const sluice_window> windows, SampleWriter& writer) const;

private:
    WindowSource(const Source& source, const sluice_window_source& table);

    const Source* source_;
    const sluice_window_source* table_;
    std::vector<std::uint8_t> has_windows_;
    std::vector<Field> fields_;  // fields with windows have any height and width
};

class WindowChoice {
public:
    static std::optional<WindowChoice> of(const Transform& transform);

    // offered: SLUICE_WINDOWS_... of each incoming field. Call this once, before the functions below.
    void expect(std::span<const std::uint8_t> offered, const Origin& origin) const;
    // True if each written field is exactly the window of the field of the same name. apply() must then not be called.
    [[nodiscard]] bool copies_windows() const { return table_->apply == nullptr; }
    // windows: one for each of `extents`. offered: the same as in expect().
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
