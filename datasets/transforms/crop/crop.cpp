#include "crop/crop.hpp"

#include <utility>

#include "sample/common_extent.hpp"

namespace sluice::transforms {
namespace {

std::string too_small(Extent picture, Extent window) {
    return "the image is " + describe(picture) + ", smaller than the patch of " + describe(window);
}

}  // namespace

Crop::Crop(FieldChoice choice, const sdk::Options& options) : choice_(std::move(choice)) {
    const std::vector<std::int64_t> size = options.integers("size");
    size_ = {size.at(0), size.at(1)};
}

void Crop::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.pictures(fields);
    for (const Chosen& field : chosen_) {
        sluice_tensor_spec spec = field.spec;
        const Extent known{spec.shape[0], spec.shape[1]};
        if ((known.height >= 0 && known.height < size_.height) || (known.width >= 0 && known.width < size_.width)) {
            throw sdk::Failure(SLUICE_INVALID, "field '" + field.name + "': " + too_small(known, size_));
        }
        spec.shape[0] = size_.height;
        spec.shape[1] = size_.width;
        sink.field(field.name, field.role, spec);
    }
}

template <class ExtentOf>
Extent Crop::common_extent(const ExtentOf& extent_of) const {
    const Extent first = transforms::common_extent(chosen_, "cropped", extent_of);
    if (first.height < size_.height || first.width < size_.width) {
        throw sdk::Failure(SLUICE_BAD_SAMPLE, too_small(first, size_));
    }
    return first;
}

void Crop::apply(sdk::WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key& key,
                 const sdk::SampleSink& sink) const {
    const Extent extent = common_extent([&](std::uint32_t index) { return picture_of(fields[index]).extent; });
    const Extent origin = window_origin({extent.height - size_.height, extent.width - size_.width}, key);
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        copy_window(picture_of(field), {origin.height, origin.width, size_}, sink.allocate(i, spec_like(field, size_)));
    }
}

void Crop::choose(std::span<const sluice_extent> extents, const sluice_random_key& key,
                  std::span<sluice_window> windows) const {
    const Extent extent = common_extent([&](std::uint32_t index) {
        return Extent{extents[index].height, extents[index].width};
    });
    const Extent origin = window_origin({extent.height - size_.height, extent.width - size_.width}, key);
    for (const Chosen& field : chosen_) {
        windows[field.index] = {origin.height, origin.width, size_.height, size_.width, 1};
    }
}

Extent RandomCrop::window_origin(Extent last, const sluice_random_key& key) const {
    sdk::Draws draws(key);
    const std::int64_t top = draws.below(last.height + 1);
    return {top, draws.below(last.width + 1)};
}

Extent CenterCrop::window_origin(Extent last, const sluice_random_key&) const {
    return {last.height / 2, last.width / 2};
}

}  // namespace sluice::transforms
