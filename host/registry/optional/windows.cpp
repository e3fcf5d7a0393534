#include "registry/optional/windows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "registry/loading/interfaces.hpp"
#include "registry/loading/reported_values.hpp"
#include "registry/objects/data_sinks.hpp"

namespace sluice::registry {
namespace {

void require_ok(const Component& component, sluice_status status, const sluice_error& error) {
    if (status != SLUICE_OK) {
        throw_status(component, short_name(component), status, error);
    }
}

bool lies_within(const sluice_window& window, const sluice_extent& extent) {
    if (window.shrink != 1 && window.shrink != 2 && window.shrink != 4 && window.shrink != 8) {
        return false;
    }
    const std::int64_t height = (extent.height + window.shrink - 1) / window.shrink;
    const std::int64_t width = (extent.width + window.shrink - 1) / window.shrink;
    return window.top >= 0 && window.left >= 0 && window.height >= 0 && window.width >= 0 &&
           window.top <= height - window.height && window.left <= width - window.width;
}

bool is_picture(const Field& field) { return field.role == SLUICE_FIELD_IMAGE || field.role == SLUICE_FIELD_LABEL_MAP; }

// Copies the fields and makes height and width of those with windows unknown (-1).
std::vector<Field> of_any_extent(std::span<const Field> fields, std::span<const std::uint8_t> windows) {
    std::vector<Field> copies(fields.begin(), fields.end());
    for (std::size_t i = 0; i < copies.size(); ++i) {
        if (windows[i] != SLUICE_WINDOWS_NONE) {
            copies[i].spec.shape[0] = -1;
            copies[i].spec.shape[1] = -1;
        }
    }
    return copies;
}

void check_extent(const Component& component, const sluice_extent& extent) {
    if (extent.height < 1 || extent.width < 1) {
        misbehaves(component, fmt::format("it reports a picture of {} x {}; both must be at least 1", extent.height,
                                          extent.width));
    }
}

void check_offer(const Component& component, const Field& field, std::uint8_t offered) {
    if (offered != SLUICE_WINDOWS_NONE && offered != SLUICE_WINDOWS_UNSHRUNK) {
        misbehaves(component, fmt::format("its has_windows() gives field '{}' the value {}; {} (none) or {} (unshrunk) "
                                          "is needed",
                                          field.name, offered, +SLUICE_WINDOWS_NONE, +SLUICE_WINDOWS_UNSHRUNK));
    }
    if (offered != SLUICE_WINDOWS_NONE && !may_have_windows(field)) {
        misbehaves(component, fmt::format("it offers windows of field '{}', which is not a picture", field.name));
    }
}

// Checks that written pictures have the sizes of their windows.
class SizedWriter final : public SampleWriter {
public:
    SizedWriter(const Component& component, std::span<const sluice_window> windows, SampleWriter& writer)
        : component_(component), windows_(windows), writer_(writer) {}

    void* allocate(std::uint32_t field, const sluice_tensor_spec& spec) override {
        const sluice_window& window = windows_[field];
        if (window.height > 0 && (spec.shape[0] != window.height || spec.shape[1] != window.width)) {
            misbehaves(component_, fmt::format("it writes {} where a window of {} x {} was asked for", to_string(spec),
                                               window.height, window.width));
        }
        return writer_.allocate(field, spec);
    }
    void set_name(std::string_view name) override { writer_.set_name(name); }

private:
    const Component& component_;
    std::span<const sluice_window> windows_;
    SampleWriter& writer_;
};

}  // namespace

bool may_have_windows(const Field& field) {
    const bool is_deep = field.role == SLUICE_FIELD_TENSOR && field.spec.dtype == kFloat32 && field.spec.rank == 3;
    return is_picture(field) || is_deep;
}

WindowMaker::WindowMaker(const Transform& transform, const sluice_window_maker& table)
    : transform_(&transform),
      table_(&table),
      written_(of_any_extent(transform.written(),
                             std::vector<std::uint8_t>(transform.written().size(), SLUICE_WINDOWS_ANY))) {}

std::optional<WindowMaker> WindowMaker::of(const Transform& transform) {
    const void* const table = optional_interface(transform.object().component(), SLUICE_WINDOW_MAKER_V1);
    if (table == nullptr) {
        return std::nullopt;
    }
    for (const Field& field : transform.written()) {
        if (!may_have_windows(field)) {
            misbehaves(transform.object().component(), fmt::format("it serves {}, but its field '{}' is not a picture",
                                                                   SLUICE_WINDOW_MAKER_V1, field.name));
        }
    }
    return WindowMaker(transform, *static_cast<const sluice_window_maker*>(table));
}

void WindowMaker::extents(const WorkerContext& context, std::span<const sluice_tensor> fields,
                          std::span<sluice_extent> extents) const {
    const Component& component = transform_->object().component();
    sluice_error error{};
    require_ok(component,
               enter(component, table_->extents, transform_->object().self(), context.get(), fields.data(),
                     static_cast<std::uint32_t>(fields.size()), extents.data(),
                     static_cast<std::uint32_t>(extents.size()), &error),
               error);
    for (const sluice_extent& extent : extents) {
        check_extent(component, extent);
    }
}

void WindowMaker::apply(const WorkerContext& context, std::span<const sluice_tensor> fields,
                        std::span<const sluice_window> windows, const sluice_random_key& key,
                        SampleWriter& writer) const {
    const Component& component = transform_->object().component();
    SizedWriter sized(component, windows, writer);
    SampleRelay(component, written_, sized)
        .take([&] { return short_name(component); }, table_->apply, transform_->object().self(), context.get(),
              fields.data(), static_cast<std::uint32_t>(fields.size()), windows.data(),
              static_cast<std::uint32_t>(windows.size()), &key);
}

WindowSource::WindowSource(const Source& source, const sluice_window_source& table)
    : source_(&source), table_(&table), has_windows_(source.fields().size()) {
    enter(source.object().component(), table_->has_windows, source.object().self(), has_windows_.data(),
          static_cast<std::uint32_t>(has_windows_.size()));
    for (std::size_t i = 0; i < has_windows_.size(); ++i) {
        check_offer(source.object().component(), source.fields()[i], has_windows_[i]);
    }
    fields_ = of_any_extent(source.fields(), has_windows_);
}

std::optional<WindowSource> WindowSource::of(const Source& source) {
    const Component& component = source.object().component();
    const void* const table = optional_interface(component, SLUICE_WINDOW_SOURCE_V1);
    if (table == nullptr) {
        return std::nullopt;
    }
    WindowSource windows(source, *static_cast<const sluice_window_source*>(table));
    for (std::size_t i = 0; i < windows.fields_.size(); ++i) {
        if (windows.has_windows_[i] == SLUICE_WINDOWS_NONE && is_picture(windows.fields_[i])) {
            return std::nullopt;
        }
    }
    const bool has_any =
        std::ranges::any_of(windows.has_windows_, [](std::uint8_t offered) { return offered != SLUICE_WINDOWS_NONE; });
    return has_any ? std::optional(std::move(windows)) : std::nullopt;
}

void WindowSource::extents(const WorkerContext& context, std::uint64_t index, std::uint64_t seed,
                           std::span<sluice_extent> extents) const {
    const Component& component = source_->object().component();
    std::ranges::fill(extents, sluice_extent{-1, -1});
    sluice_error error{};
    require_ok(component,
               enter(component, table_->extents, source_->object().self(), context.get(), index, seed, extents.data(),
                     static_cast<std::uint32_t>(extents.size()), &error),
               error);
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (has_windows_[i] != SLUICE_WINDOWS_NONE) {
            check_extent(component, extents[i]);
        }
    }
}

void WindowSource::read(const WorkerContext& context, std::uint64_t index, std::uint64_t seed,
                        std::span<const sluice_window> windows, SampleWriter& writer) const {
    const Component& component = source_->object().component();
    SizedWriter sized(component, windows, writer);
    SampleRelay(component, fields_, sized)
        .take([&] { return short_name(component); }, table_->read, source_->object().self(), context.get(), index, seed,
              windows.data(), static_cast<std::uint32_t>(windows.size()));
}

std::optional<WindowChoice> WindowChoice::of(const Transform& transform) {
    const void* const table = optional_interface(transform.object().component(), SLUICE_WINDOW_CHOICE_V1);
    return table == nullptr ? std::nullopt
                            : std::optional(WindowChoice(transform, *static_cast<const sluice_window_choice*>(table)));
}

void WindowChoice::expect(std::span<const std::uint8_t> offered, const Origin& origin) const {
    if (table_->expect != nullptr) {
        const Component& component = transform_->object().component();
        call(component, place_of(component, origin), table_->expect, transform_->object().self(), offered.data(),
             static_cast<std::uint32_t>(offered.size()));
    }
}

void WindowChoice::choose(std::span<const sluice_extent> extents, std::span<const std::uint8_t> offered,
                          const sluice_random_key& key, std::span<sluice_window> windows) const {
    const Component& component = transform_->object().component();
    std::ranges::fill(windows, sluice_window{.top = 0, .left = 0, .height = 0, .width = 0, .shrink = 1});
    sluice_error error{};
    require_ok(component,
               enter(component, table_->choose, transform_->object().self(), extents.data(),
                     static_cast<std::uint32_t>(extents.size()), &key, windows.data(), &error),
               error);
    for (std::size_t i = 0; i < windows.size(); ++i) {
        const sluice_window& window = windows[i];
        if (window.height != 0 && window.shrink != 1 && offered[i] != SLUICE_WINDOWS_ANY) {
            misbehaves(component,
                       fmt::format("it reads field number {} shrunk {} times, but shrunk windows of this field are "
                                   "not offered",
                                   i, window.shrink));
        }
        if (window.height != 0 && (window.width == 0 || !lies_within(window, extents[i]))) {
            misbehaves(component,
                       fmt::format("it reads {} x {} from ({}, {}) on, shrunk {} times, of field number {}, which "
                                   "is {} x {}",
                                   window.height, window.width, window.top, window.left, window.shrink, i,
                                   extents[i].height, extents[i].width));
        }
    }
}

void WindowChoice::apply(const WorkerContext& context, std::span<const sluice_tensor> fields,
                         std::span<const sluice_extent> extents, std::span<const sluice_window> windows,
                         const sluice_random_key& key, SampleWriter& writer) const {
    const Component& component = transform_->object().component();
    SampleRelay(component, transform_->written(), writer)
        .take([&] { return short_name(component); }, table_->apply, transform_->object().self(), context.get(),
              fields.data(), extents.data(), windows.data(), static_cast<std::uint32_t>(fields.size()), &key);
}

}  // namespace sluice::registry
