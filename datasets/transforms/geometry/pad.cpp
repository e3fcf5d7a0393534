#include "geometry/pad.hpp"

#include <algorithm>
#include <cstring>

#include "geometry/reflect.hpp"

namespace sluice::transforms {
namespace {

struct PadContext : sdk::WorkerContext {
    std::vector<std::int64_t> rows;     // source row of each row of the result; -1: none
    std::vector<std::int64_t> columns;  // source column of each column of the result; -1: none
};

// Copies one row and fills its borders from columns[x]; -1: leaves the pixel unchanged.
void pad_row(const Picture& picture, std::int64_t row, std::span<const std::int64_t> columns, std::int64_t left,
             std::uint8_t* to) {
    const std::uint8_t* const from = picture.bytes + row * picture.row_bytes();
    const std::int64_t bytes = picture.pixel_bytes();
    std::memcpy(to + left * bytes, from, static_cast<std::size_t>(picture.row_bytes()));
    const auto copy = [&](std::int64_t x) {
        const std::int64_t column = columns[static_cast<std::size_t>(x)];
        if (column >= 0) {
            std::copy_n(from + column * bytes, bytes, to + x * bytes);
        }
    };
    for (std::int64_t x = 0; x < left; ++x) {
        copy(x);
    }
    for (std::int64_t x = left + picture.extent.width; x < std::ssize(columns); ++x) {
        copy(x);
    }
}

}  // namespace

Pad::Pad(sdk::Host, const sdk::Options& options)
    : choice_(options),
      mode_(options.string("mode") == "constant" ? Mode::constant
            : options.string("mode") == "edge"   ? Mode::edge
                                                 : Mode::reflect),
      value_(static_cast<std::uint8_t>(options.integer("value"))),
      label_value_(static_cast<std::uint8_t>(options.integer("label_value"))) {
    if (options.has("borders") == options.has("at_least")) {
        throw sdk::Failure(SLUICE_INVALID, "exactly one of the options 'borders' and 'at_least' is needed");
    }
    if (options.has("at_least")) {
        const std::vector<std::int64_t> size = options.integers("at_least");
        at_least_ = {size.at(0), size.at(1)};
        return;
    }
    const std::vector<std::int64_t> borders = options.integers("borders");
    if (borders.size() == 1) {
        borders_ = {borders[0], borders[0], borders[0], borders[0]};
    } else if (borders.size() == 2) {
        borders_ = {borders[0], borders[0], borders[1], borders[1]};
    } else if (borders.size() == 4) {
        borders_ = {borders[0], borders[1], borders[2], borders[3]};
    } else {
        throw sdk::Failure(SLUICE_INVALID, "option 'borders' has " + std::to_string(borders.size()) +
                                               " numbers; 1 (all), 2 (top and bottom, left and right) or 4 (top, "
                                               "bottom, left, right) are needed");
    }
}

// With at_least_, the missing pixels are divided evenly; an odd pixel goes to the bottom or right.
Pad::Borders Pad::borders_of(Extent picture) const {
    if (at_least_.height == 0) {
        return borders_;
    }
    const std::int64_t down = std::max<std::int64_t>(at_least_.height - picture.height, 0);
    const std::int64_t across = std::max<std::int64_t>(at_least_.width - picture.width, 0);
    return {down / 2, down - down / 2, across / 2, across - across / 2};
}

void Pad::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.pictures(fields);
    for (const Chosen& field : chosen_) {
        sluice_tensor_spec spec = field.spec;
        const Borders borders = borders_of({spec.shape[0], spec.shape[1]});
        spec.shape[0] = spec.shape[0] < 0 ? -1 : spec.shape[0] + borders.top + borders.bottom;
        spec.shape[1] = spec.shape[1] < 0 ? -1 : spec.shape[1] + borders.left + borders.right;
        sink.field(field.name, field.role, spec);
    }
}

std::unique_ptr<sdk::WorkerContext> Pad::make_context() const { return std::make_unique<PadContext>(); }

void Pad::find_sources(std::int64_t before, std::int64_t source, std::vector<std::int64_t>& of) const {
    for (std::int64_t i = 0; i < std::ssize(of); ++i) {
        const std::int64_t place = i - before;
        const bool is_inside = place >= 0 && place < source;
        of[static_cast<std::size_t>(i)] = is_inside                ? place
                                          : mode_ == Mode::edge    ? std::clamp<std::int64_t>(place, 0, source - 1)
                                          : mode_ == Mode::reflect ? reflect(place, source)
                                                                   : -1;
    }
}

void Pad::apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key&,
                const sdk::SampleSink& sink) const {
    auto& [rows, columns] = static_cast<PadContext&>(context);
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        const Picture picture = picture_of(field);
        const Borders borders = borders_of(picture.extent);
        const Extent size{picture.extent.height + borders.top + borders.bottom,
                          picture.extent.width + borders.left + borders.right};
        std::uint8_t* to = sink.allocate(i, spec_like(field, size));
        const std::uint8_t value = chosen_[i].role == SLUICE_FIELD_LABEL_MAP ? label_value_ : value_;
        fill(to, size.height * size.width * picture.pixel_bytes(), value, picture.value_bytes);
        rows.resize(static_cast<std::size_t>(size.height));
        columns.resize(static_cast<std::size_t>(size.width));
        find_sources(borders.top, picture.extent.height, rows);
        find_sources(borders.left, picture.extent.width, columns);
        for (const std::int64_t row : rows) {
            if (row >= 0) {
                pad_row(picture, row, columns, borders.left, to);
            }
            to += size.width * picture.pixel_bytes();
        }
    }
}

}  // namespace sluice::transforms
