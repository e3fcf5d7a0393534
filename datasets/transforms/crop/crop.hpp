// Transforms `random_crop` and `center_crop`: cut the same window out of every chosen picture.
#pragma once

#include <vector>

#include "sample/field_choice.hpp"
#include "sample/picture.hpp"
#include "sluice/sdk/window.hpp"

namespace sluice::transforms {

class Crop : public sdk::Transform, public sdk::WindowChoice {
public:
    Crop(FieldChoice choice, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;
    void choose(std::span<const sluice_extent> extents, const sluice_random_key& key,
                std::span<sluice_window> windows) const override;

private:
    // The extent of all chosen pictures. Throws if they differ or are smaller than the window.
    template <class ExtentOf>
    [[nodiscard]] Extent common_extent(const ExtentOf& extent_of) const;
    // The top left corner of the window, from (0, 0) to `last`.
    [[nodiscard]] virtual Extent window_origin(Extent last, const sluice_random_key& key) const = 0;

    FieldChoice choice_;
    Extent size_;  // of the window
    std::vector<Chosen> chosen_;
};

class RandomCrop : public Crop {
public:
    RandomCrop(sdk::Host host, const sdk::Options& options)
        : Crop(FieldChoice(options, RandomMover{host, "random_crop"}), options) {}

private:
    [[nodiscard]] Extent window_origin(Extent last, const sluice_random_key& key) const override;
};

class CenterCrop : public Crop {
public:
    CenterCrop(sdk::Host, const sdk::Options& options) : Crop(FieldChoice(options), options) {}

private:
    [[nodiscard]] Extent window_origin(Extent last, const sluice_random_key& key) const override;
};

}  // namespace sluice::transforms
