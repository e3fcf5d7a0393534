#include "resize/scaled_window.hpp"

#include <cmath>
#include <utility>

#include "resize/shrink.hpp"
#include "sample/common_extent.hpp"

namespace sluice::transforms {
namespace {

struct ScaledWindowContext : sdk::WorkerContext {
    ResampleScratch scratch;
    std::vector<std::uint8_t> window;
};

}  // namespace

ScaledWindow::ScaledWindow(FieldChoice choice, const sdk::Options& options, bool one_window)
    : choice_(std::move(choice)),
      method_(method_called(options.string("method"))),
      one_window_(one_window),
      dct_scaling_(options.boolean("dct_scaling")) {}

Method ScaledWindow::method_of(const Chosen& field) const {
    return field.role == SLUICE_FIELD_LABEL_MAP ? Method::nearest : method_;
}

void ScaledWindow::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.pictures(fields);
    for (const Chosen& field : chosen_) {
        if (dct_scaling_ && field.role == SLUICE_FIELD_TENSOR) {
            throw sdk::Failure(SLUICE_INVALID, "option 'dct_scaling' makes images of 8 bits, but field '" + field.name +
                                                   "' is " + sdk::describe(field.spec));
        }
        sluice_tensor_spec spec = field.spec;
        const Extent size = size_of({spec.shape[0], spec.shape[1]});
        spec.shape[0] = size.height;
        spec.shape[1] = size.width;
        sink.field(field.name, field.role, spec);
    }
}

std::unique_ptr<sdk::WorkerContext> ScaledWindow::make_context() const {
    return std::make_unique<ScaledWindowContext>();
}

template <class ExtentOf>
void ScaledWindow::check(const ExtentOf& extent_of) const {
    if (one_window_) {
        common_extent(chosen_, "cropped", extent_of);
    }
}

void ScaledWindow::expect(std::span<const std::uint8_t> windows) {
    comes_in_windows_.clear();
    for (const Chosen& field : chosen_) {
        comes_in_windows_.push_back(windows[field.index] != SLUICE_WINDOWS_NONE);
        if (dct_scaling_ && windows[field.index] != SLUICE_WINDOWS_ANY && field.role == SLUICE_FIELD_IMAGE) {
            throw sdk::Failure(SLUICE_INVALID,
                               "option 'dct_scaling' needs the decoder right before this transform: put { use = "
                               "\"decode\" } there, for field '" +
                                   field.name + "' and only for fields that are scaled here");
        }
    }
}

std::int64_t ScaledWindow::shrink_of(const Chosen& field, Extent window) const {
    const Extent size = size_of(window);
    std::int64_t times = dct_scaling_ && method_of(field) != Method::nearest ? 8 : 1;
    while (times > 1 && (size.height * times > window.height || size.width * times > window.width)) {
        times /= 2;
    }
    return times;
}

// Scales a field that came as a whole picture.
void ScaledWindow::scale_whole(sdk::WorkerContext& context, const sluice_tensor& field, std::uint32_t number,
                               const sluice_random_key& key, const sdk::SampleSink& sink) const {
    auto& [scratch, copy] = static_cast<ScaledWindowContext&>(context);
    Picture picture = picture_of(field);
    const Window window = window_of(picture.extent, key);
    if (window.extent != picture.extent) {
        copy.resize(static_cast<std::size_t>(window.extent.height * window.extent.width * picture.pixel_bytes()));
        copy_window(picture, window, copy.data());
        picture = {copy.data(), window.extent, picture.channels, picture.value_bytes};
    }
    const Extent size = size_of(window.extent);
    resample(picture, whole(picture.extent), method_of(chosen_[number]), size, scratch,
             sink.allocate(number, spec_like(field, size)));
}

// Scales a field that came as the window that choose() requested. `extent`: of the whole picture.
void ScaledWindow::scale_part(sdk::WorkerContext& context, const sluice_tensor& field, std::uint32_t number,
                              Extent extent, const sluice_random_key& key, const sdk::SampleSink& sink) const {
    const Window window = window_of(extent, key);
    const auto times = static_cast<double>(shrink_of(chosen_[number], window.extent));
    const auto top = static_cast<double>(window.top) / times;
    const auto left = static_cast<double>(window.left) / times;
    const Region region{top - std::floor(top), left - std::floor(left),
                        static_cast<double>(window.extent.height) / times,
                        static_cast<double>(window.extent.width) / times};
    const Extent size = size_of(window.extent);
    resample(picture_of(field), region, method_of(chosen_[number]), size,
             static_cast<ScaledWindowContext&>(context).scratch, sink.allocate(number, spec_like(field, size)));
}

void ScaledWindow::apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                         const sluice_random_key& key, const sdk::SampleSink& sink) const {
    check([&](std::uint32_t index) { return picture_of(fields[index]).extent; });
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        scale_whole(context, fields[chosen_[i].index], i, key, sink);
    }
}

void ScaledWindow::choose(std::span<const sluice_extent> extents, const sluice_random_key& key,
                          std::span<sluice_window> windows) const {
    const auto extent_of = [&](std::uint32_t index) { return Extent{extents[index].height, extents[index].width}; };
    check(extent_of);
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        if (!comes_in_windows_[i]) {
            continue;
        }
        const Chosen& field = chosen_[i];
        const Window window = window_of(extent_of(field.index), key);
        const std::int64_t times = shrink_of(field, window.extent);
        const std::int64_t top = window.top / times;
        const std::int64_t left = window.left / times;
        const Extent end =
            shrunk({window.top + window.extent.height, window.left + window.extent.width}, times);  // one past the last
        windows[field.index] = {top, left, end.height - top, end.width - left, times};
    }
}

void ScaledWindow::apply_windows(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                                 std::span<const sluice_extent> extents, std::span<const sluice_window>,
                                 const sluice_random_key& key, const sdk::SampleSink& sink) const {
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const std::uint32_t index = chosen_[i].index;
        if (comes_in_windows_[i]) {
            scale_part(context, fields[index], i, {extents[index].height, extents[index].width}, key, sink);
        } else {
            scale_whole(context, fields[index], i, key, sink);
        }
    }
}

}  // namespace sluice::transforms
