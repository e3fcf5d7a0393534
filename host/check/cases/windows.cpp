#include "check/cases/windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sluice::check {
namespace {

std::string text_of(const sluice_window& window) {
    return fmt::format("{} x {} at ({}, {}){}", window.height, window.width, window.top, window.left,
                       window.shrink > 1 ? fmt::format(", shrunk {} times", window.shrink) : "");
}

}  // namespace

bool is_picture(const registry::Field& field) {
    return field.role == SLUICE_FIELD_IMAGE || field.role == SLUICE_FIELD_LABEL_MAP;
}

sluice_extent extent_of(const sluice_tensor_spec& spec) {
    const bool is_one =
        (spec.dtype == kUint8 && (spec.rank == 2 || spec.rank == 3)) || (spec.dtype == kFloat32 && spec.rank == 3);
    return is_one ? sluice_extent{spec.shape[0], spec.shape[1]} : sluice_extent{-1, -1};
}

sluice_window some_window(Trial& trial, const sluice_extent& extent, std::size_t number, std::int64_t shrink) {
    const std::int64_t height = (extent.height + shrink - 1) / shrink;
    const std::int64_t width = (extent.width + shrink - 1) / shrink;
    const auto draw = [&](std::int64_t bound) {
        return static_cast<std::int64_t>(trial.draw(static_cast<std::uint64_t>(bound)));
    };
    switch (number) {
        case 0:
            return {0, 0, height, width, shrink};
        case 1:
            return {0, 0, 1, 1, shrink};
        case 2:
            return {height - 1, width - 1, 1, 1, shrink};
        case 3:
            return {0, width - 1, 1, 1, shrink};
        case 4:
            return {height - 1, 0, 1, width, shrink};
        default: {
            const std::int64_t top = draw(height);
            const std::int64_t left = draw(width);
            return {top, left, 1 + draw(height - top), 1 + draw(width - left), shrink};
        }
    }
}

sluice_tensor_spec spec_of(const sluice_tensor_spec& picture, const sluice_window& window) {
    sluice_tensor_spec spec = picture;
    spec.shape[0] = window.height;
    spec.shape[1] = window.width;
    return spec;
}

HostTensor cut(const HostTensor& picture, const sluice_window& window) {
    HostTensor part{spec_of(picture.spec, window), {}};
    part.bytes.resize(byte_count(part.spec));
    const std::size_t pixel =
        picture.bytes.size() / static_cast<std::size_t>(picture.spec.shape[0] * picture.spec.shape[1]);
    const std::size_t row = pixel * static_cast<std::size_t>(window.width);
    for (std::int64_t y = 0; y < window.height; ++y) {
        const auto from = static_cast<std::size_t>((window.top + y) * picture.spec.shape[1] + window.left) * pixel;
        std::memcpy(part.bytes.data() + static_cast<std::size_t>(y) * row, picture.bytes.data() + from, row);
    }
    return part;
}

void expect_windows(const SampleBuffer& whole, const SampleBuffer& part, std::span<const registry::Field> fields,
                    std::span<const sluice_window> windows, const std::string& call) {
    expect(part.damage().empty(), fmt::format("{} writes {}", call, part.damage()));
    expect(part.name() == whole.name(),
           fmt::format("{} sets the name '{}'; expected '{}'", call, part.name(), whole.name()));
    for (std::uint32_t i = 0; i < fields.size(); ++i) {
        const bool is_part = windows[i].height > 0;
        const HostTensor right = is_part ? cut(whole.tensor(i), windows[i]) : whole.tensor(i);
        const HostTensor found = part.tensor(i);
        const std::string what = is_part ? text_of(windows[i]) : "the whole";
        expect(found.spec == right.spec, fmt::format("{}, {} of field '{}', gives {}; expected {}", call, what,
                                                     fields[i].name, to_string(found.spec), to_string(right.spec)));
        expect(found.bytes == right.bytes,
               fmt::format("{}, {} of field '{}', gives other bytes than the whole has there", call, what,
                           fields[i].name));
    }
}

}  // namespace sluice::check
