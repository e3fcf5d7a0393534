// The places of a pixel of an image [N, H, W, C] in the image with mirrored margins: its own place, and those where the
// margins mirror it. Places have 32 bits, for kernels.
#pragma once

#include "cuda/divide.cuh"
#include "images/margins.hpp"

namespace sluice::cudnn {

inline constexpr int kMostCopies = 3;  // along one axis
inline constexpr std::uint32_t kNowhere = ~0U;

// Returns the place in the padded axis of element `at` of an axis of n. copy: 0 its own place, 1 its mirror before the
// axis, 2 its mirror after it. Negative: there is none.
constexpr int copy_of(int at, int copy, int n, int before, int after) {
    if (copy == 0) {
        return before + at;
    }
    if (copy == 1) {
        return at > 0 && at <= before ? before - at : -1;
    }
    return at < n - 1 && n - 1 - at <= after ? before + 2 * (n - 1) - at : -1;
}

// Kernels take it by value.
class Mirror {
public:
    // The position of one pixel in the image.
    struct Pixel {
        std::uint32_t sample;
        int row;
        int column;
    };

    explicit Mirror(const Margins& m)
        : rows_(m.height),
          columns_(m.width),
          padded_rows_(static_cast<int>(m.padded_height())),
          padded_columns_(static_cast<int>(m.padded_width())),
          top_(static_cast<int>(m.top)),
          bottom_(static_cast<int>(m.bottom)),
          left_(static_cast<int>(m.left)),
          right_(static_cast<int>(m.right)) {}

    // Pixels are numbered in order, as are places in the image with margins.
    [[nodiscard]] constexpr Pixel pixel(std::uint32_t number) const {
        const auto column = static_cast<int>(columns_.split(number));
        const auto row = static_cast<int>(rows_.split(number));
        return {.sample = number, .row = row, .column = column};
    }
    [[nodiscard]] constexpr std::uint32_t own_place(const Pixel& at) const {
        return place(at.sample, top_ + at.row, left_ + at.column);
    }
    // True: the pixel's own place is its only one. False: it may have others.
    [[nodiscard]] constexpr bool is_inner(const Pixel& at) const {
        return at.row > top_ && at.row < height() - 1 - bottom_ && at.column > left_ &&
               at.column < width() - 1 - right_;
    }
    // Returns place number `copy`, from 0 (its own) to kMostCopies^2 - 1; kNowhere if it has none of that number.
    [[nodiscard]] constexpr std::uint32_t place(const Pixel& at, int copy) const {
        const int row = copy_of(at.row, copy / kMostCopies, height(), top_, bottom_);
        const int column = copy_of(at.column, copy % kMostCopies, width(), left_, right_);
        return row < 0 || column < 0 ? kNowhere : place(at.sample, row, column);
    }

private:
    [[nodiscard]] constexpr int height() const { return static_cast<int>(rows_.divisor()); }
    [[nodiscard]] constexpr int width() const { return static_cast<int>(columns_.divisor()); }
    [[nodiscard]] constexpr std::uint32_t place(std::uint32_t sample, int row, int column) const {
        return (sample * static_cast<std::uint32_t>(padded_rows_) + static_cast<std::uint32_t>(row)) *
                   static_cast<std::uint32_t>(padded_columns_) +
               static_cast<std::uint32_t>(column);
    }

    Divider rows_;  // of the image
    Divider columns_;
    int padded_rows_;
    int padded_columns_;
    int top_;
    int bottom_;
    int left_;
    int right_;
};

}  // namespace sluice::cudnn
