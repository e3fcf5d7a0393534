#include "geometry/flip.hpp"

#include <cstring>

#include "sample/picture.hpp"

namespace sluice::transforms {
namespace {

// Reverses the pixels of an RGB row. Except at the ends it copies four bytes at a time; the fourth belongs to the
// neighbour and is overwritten next.
void reverse_rgb_row(const std::uint8_t* from, std::int64_t width, std::uint8_t* to) {
    std::memcpy(to, from + (width - 1) * 3, 3);
    for (std::int64_t x = width - 2; x > 0; --x) {
        to += 3;
        std::memcpy(to, from + x * 3, 4);
    }
    if (width > 1) {
        std::memcpy(to + 3, from, 3);
    }
}

void reverse_row(const std::uint8_t* from, std::int64_t width, std::int64_t pixel_bytes, std::uint8_t* to) {
    if (pixel_bytes == 3) {
        reverse_rgb_row(from, width, to);
        return;
    }
    const std::uint8_t* pixel = from + (width - 1) * pixel_bytes;
    for (std::int64_t x = 0; x < width; ++x, pixel -= pixel_bytes) {
        for (std::int64_t i = 0; i < pixel_bytes; ++i) {
            *to++ = pixel[i];
        }
    }
}

void flip(const Picture& from, bool left_right, bool top_bottom, std::uint8_t* to) {
    for (std::int64_t y = 0; y < from.extent.height; ++y) {
        const std::int64_t source = top_bottom ? from.extent.height - 1 - y : y;
        const std::uint8_t* row = from.bytes + source * from.row_bytes();
        if (left_right) {
            reverse_row(row, from.extent.width, from.pixel_bytes(), to);
        } else {
            std::memcpy(to, row, static_cast<std::size_t>(from.row_bytes()));
        }
        to += from.row_bytes();
    }
}

}  // namespace

RandomFlip::RandomFlip(sdk::Host host, const sdk::Options& options)
    : choice_(options, RandomMover{host, "random_flip"}),
      horizontal_(options.boolean("horizontal")),
      vertical_(options.boolean("vertical")) {}

void RandomFlip::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.pictures(fields);
    for (const Chosen& field : chosen_) {
        sink.field(field.name, field.role, field.spec);
    }
}

void RandomFlip::apply(sdk::WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key& key,
                       const sdk::SampleSink& sink) const {
    sdk::Draws draws(key);
    const bool left_right = draws.below(2) == 1 && horizontal_;
    const bool top_bottom = draws.below(2) == 1 && vertical_;
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        const Picture picture = picture_of(field);
        flip(picture, left_right, top_bottom, sink.allocate(i, spec_like(field, picture.extent)));
    }
}

}  // namespace sluice::transforms
