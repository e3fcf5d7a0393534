#include "crop.hpp"

#include <cstring>

namespace sluice::transforms {
namespace {

std::string too_small(Extent picture, Extent window) {
    return "the image is " + describe(picture) + ", smaller than the patch of " + describe(window);
}

// All pictures have to be of one size, and not smaller than the window.
void require_room(std::span<const sluice_tensor> fields, const std::vector<Chosen>& chosen, Extent window) {
    const Extent first = picture_of(fields[chosen.front().index]).extent;
    for (const Chosen& field : chosen) {
        const Extent extent = picture_of(fields[field.index]).extent;
        if (extent != first) {
            throw sdk::Failure(SLUICE_BAD_SAMPLE, "'" + chosen.front().name + "' is " + describe(first) + " and '" +
                                                      field.name + "' is " + describe(extent) +
                                                      "; to be cropped together they need the same size");
        }
    }
    if (first.height < window.height || first.width < window.width) {
        throw sdk::Failure(SLUICE_BAD_SAMPLE, too_small(first, window));
    }
}

void copy_window(const Picture& from, Extent origin, Extent window, std::uint8_t* to) {
    const auto bytes = static_cast<std::size_t>(window.width * from.channels);
    const std::uint8_t* row = from.bytes + origin.height * from.row_bytes() + origin.width * from.channels;
    for (std::int64_t y = 0; y < window.height; ++y) {
        std::memcpy(to, row, bytes);
        to += bytes;
        row += from.row_bytes();
    }
}

}  // namespace

Crop::Crop(const sdk::Options& options) : choice_(options) {
    const std::vector<std::int64_t> size = options.integers("size");
    window_ = {size.at(0), size.at(1)};
}

void Crop::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.pictures(fields);
    for (const Chosen& field : chosen_) {
        sluice_tensor_spec spec = field.spec;
        const Extent known{spec.shape[0], spec.shape[1]};
        if ((known.height >= 0 && known.height < window_.height) || (known.width >= 0 && known.width < window_.width)) {
            throw sdk::Failure(SLUICE_INVALID, "field '" + field.name + "': " + too_small(known, window_));
        }
        spec.shape[0] = window_.height;
        spec.shape[1] = window_.width;
        sink.field(field.name, field.role, spec);
    }
}

void Crop::apply(sdk::WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key& key,
                 const sdk::SampleSink& sink) const {
    require_room(fields, chosen_, window_);
    const Extent extent = picture_of(fields[chosen_.front().index]).extent;
    const Extent origin = window_origin({extent.height - window_.height, extent.width - window_.width}, key);
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        copy_window(picture_of(field), origin, window_, sink.allocate(i, spec_like(field, window_)));
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
