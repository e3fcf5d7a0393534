// Common code of `resize` and `random_resized_crop`: scales a window of each chosen picture. If the stage before can
// make windows (decode), only the window is requested from it.
#pragma once

#include <memory>
#include <vector>

#include "resize/resample.hpp"
#include "sample/field_choice.hpp"
#include "sluice/sdk/window.hpp"

namespace sluice::transforms {

class ScaledWindow : public sdk::Transform, public sdk::WindowUser {
public:
    // one_window: all pictures share a window, so they must have the same size.
    ScaledWindow(FieldChoice choice, const sdk::Options& options, bool one_window);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    [[nodiscard]] std::unique_ptr<sdk::WorkerContext> make_context() const override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;
    void expect(std::span<const std::uint8_t> windows) override;
    void choose(std::span<const sluice_extent> extents, const sluice_random_key& key,
                std::span<sluice_window> windows) const override;
    void apply_windows(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                       std::span<const sluice_extent> extents, std::span<const sluice_window> windows,
                       const sluice_random_key& key, const sdk::SampleSink& sink) const override;

private:
    [[nodiscard]] virtual Window window_of(Extent picture, const sluice_random_key& key) const = 0;
    // The size that a window is scaled to; -1 if it depends on an unknown extent (-1).
    [[nodiscard]] virtual Extent size_of(Extent window) const = 0;

    void scale_whole(sdk::WorkerContext& context, const sluice_tensor& field, std::uint32_t number,
                     const sluice_random_key& key, const sdk::SampleSink& sink) const;
    void scale_part(sdk::WorkerContext& context, const sluice_tensor& field, std::uint32_t number, Extent extent,
                    const sluice_random_key& key, const sdk::SampleSink& sink) const;
    // The factor by which the decoder shrinks the picture before its window is scaled: 1, 2, 4 or 8.
    [[nodiscard]] std::int64_t shrink_of(const Chosen& field, Extent window) const;
    // Label maps are never blended.
    [[nodiscard]] Method method_of(const Chosen& field) const;

    template <class ExtentOf>
    void check(const ExtentOf& extent_of) const;

    FieldChoice choice_;
    Method method_;
    bool one_window_;
    bool dct_scaling_;
    std::vector<bool> comes_in_windows_;  // for each chosen field: windows of it may be requested
    std::vector<Chosen> chosen_;
};

}  // namespace sluice::transforms
