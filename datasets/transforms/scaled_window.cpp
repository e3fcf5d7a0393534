#include "scaled_window.hpp"

#include "common_extent.hpp"

namespace sluice::transforms {
namespace {

struct Context : sdk::WorkerContext {
    ResampleScratch scratch;
    std::vector<std::uint8_t> window;
};

Extent extent_of_field(const sluice_tensor& field) { return picture_of(field).extent; }

}  // namespace

ScaledWindow::ScaledWindow(const sdk::Options& options, bool one_window)
    : choice_(options), method_(method_called(options.string("method"))), one_window_(one_window) {}

Method ScaledWindow::method_of(const Chosen& field) const {
    return field.role == SLUICE_FIELD_LABEL_MAP ? Method::nearest : method_;
}

void ScaledWindow::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.pictures(fields);
    for (const Chosen& field : chosen_) {
        sluice_tensor_spec spec = field.spec;
        const Extent size = size_of({spec.shape[0], spec.shape[1]});
        spec.shape[0] = size.height;
        spec.shape[1] = size.width;
        sink.field(field.name, field.role, spec);
    }
}

std::unique_ptr<sdk::WorkerContext> ScaledWindow::make_context() const { return std::make_unique<Context>(); }

template <class ExtentOf>
void ScaledWindow::check(const ExtentOf& extent_of) const {
    if (one_window_) {
        common_extent(chosen_, "cropped", extent_of);
    }
}

void ScaledWindow::apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                         const sluice_random_key& key, const sdk::SampleSink& sink) const {
    check([&](std::uint32_t index) { return extent_of_field(fields[index]); });
    auto& [scratch, copy] = static_cast<Context&>(context);
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        Picture picture = picture_of(field);
        const Window window = window_of(picture.extent, key);
        if (window.extent != picture.extent) {
            copy.resize(static_cast<std::size_t>(window.extent.height * window.extent.width * picture.channels));
            copy_window(picture, window, copy.data());
            picture = {copy.data(), window.extent, picture.channels};
        }
        const Extent size = size_of(window.extent);
        resample(picture, whole(picture.extent), method_of(chosen_[i]), size, scratch,
                 sink.allocate(i, spec_like(field, size)));
    }
}

void ScaledWindow::choose(std::span<const sluice_extent> extents, const sluice_random_key& key,
                          sluice_window* windows) const {
    const auto extent_of = [&](std::uint32_t index) { return Extent{extents[index].height, extents[index].width}; };
    check(extent_of);
    for (const Chosen& field : chosen_) {
        const Window window = window_of(extent_of(field.index), key);
        windows[field.index] = {window.top, window.left, window.extent.height, window.extent.width};
    }
}

void ScaledWindow::apply_windows(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                                 std::span<const sluice_extent>, std::span<const sluice_window>,
                                 const sluice_random_key&, const sdk::SampleSink& sink) const {
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        const Picture picture = picture_of(field);
        const Extent size = size_of(picture.extent);
        resample(picture, whole(picture.extent), method_of(chosen_[i]), size, static_cast<Context&>(context).scratch,
                 sink.allocate(i, spec_like(field, size)));
    }
}

}  // namespace sluice::transforms
