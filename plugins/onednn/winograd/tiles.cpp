#include "winograd/tiles.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "gemm/multiply.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "winograd/tiles.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "winograd/transforms-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::onednn::HWY_NAMESPACE {

// Finds the pixels of one tile, kSize by kSize; a pixel outside of the image becomes `outside`.
template <int kSize, class Pixel>
HWY_INLINE void find_pixels(const TileGrid& grid, const ImageView& view, std::int64_t tile, Pixel* image,
                            Pixel* outside, Pixel* (&pixels)[kSize][kSize]) {
    const std::int64_t column = tile % grid.columns * grid.outputs;
    const std::int64_t row = tile / grid.columns % grid.rows * grid.outputs;
    const std::int64_t first_row = tile / (grid.columns * grid.rows) * view.height;
    for (int i = 0; i < kSize; ++i) {
        const std::int64_t y = view.rows[static_cast<std::size_t>(row + i)];
        for (int j = 0; j < kSize; ++j) {
            const std::int64_t x = view.columns[static_cast<std::size_t>(column + j)];
            pixels[i][j] = y < 0 || x < 0 ? outside : image + ((first_row + y) * view.width + x) * view.channels;
        }
    }
}

// Returns where channel c of a tile lies in a layout.
HWY_INLINE std::int64_t place(const TileLayout& layout, std::int64_t tile, std::int64_t c) {
    const std::int64_t panel = c / layout.panel;
    return layout.panel_begin(panel) + (layout.first_tile + tile) * layout.panel_width(panel) + c % layout.panel;
}

template <class Element>
HWY_INLINE const Element* zeros_of(const ImageView& view) {
    static_assert(sizeof(Element) <= sizeof(float));
    return reinterpret_cast<const Element*>(view.zeros.data());
}

// Calls body(image as const Element*), with the type of the view's elements.
template <class Body>
HWY_INLINE void with_elements(const ImageView& view, const void* image, const Body& body) {
    if (view.type == DataType::bf16) {
        body(static_cast<const Bfloat16*>(image));
    } else {
        body(static_cast<const float*>(image));
    }
}

// NaN stays NaN.
HWY_INLINE Vector clamp_negative(Vector x) { return hn::IfThenElse(hn::Lt(x, hn::Zero(Tag())), hn::Zero(Tag()), x); }

template <class Element>
HWY_INLINE void input_tiles(const TileGrid& grid, const ImageView& view, const Element* image, TileRange range,
                            const TileLayout& layout, float* to) {
    const Element* pixels[kPoints][kPoints];
    for (std::int64_t tile = range.begin; tile < range.end; ++tile) {
        find_pixels(grid, view, tile, image, zeros_of<Element>(view), pixels);
        for (std::int64_t c = 0; c < view.channels; c += kLanes) {
            Vector columns[kPoints][kPoints];  // [column][row]
            for (int j = 0; j < kPoints; ++j) {
                Vector x[kPoints];
                for (int i = 0; i < kPoints; ++i) {
                    x[i] = load_part(pixels[i][j] + c, view.channels - c);
                }
                transform_six(x, columns[j]);
            }
            float* out = to + place(layout, tile - range.begin, c);
            for (int i = 0; i < kPoints; ++i) {
                Vector x[kPoints];
                Vector points[kPoints];
                for (int j = 0; j < kPoints; ++j) {
                    x[j] = columns[j][i];
                }
                transform_six(x, points);
                for (int j = 0; j < kPoints; ++j) {
                    hn::StoreU(points[j], Tag(), out + (i * kPoints + j) * layout.point_step);
                }
            }
        }
    }
}

void transform_input(const TileGrid& grid, const ImageView& view, const void* image, TileRange range,
                     const TileLayout& layout, float* to) {
    with_elements(view, image, [&](const auto* elements) { input_tiles(grid, view, elements, range, layout, to); });
}

template <int kOutputs, class Element>
HWY_INLINE void gradient_tiles(const TileGrid& grid, const ImageView& view, const Element* gradient, TileRange range,
                               const TileLayout& layout, float* to, float* sums) {
    const Element* pixels[kOutputs][kOutputs];
    for (std::int64_t tile = range.begin; tile < range.end; ++tile) {
        find_pixels(grid, view, tile, gradient, zeros_of<Element>(view), pixels);
        for (std::int64_t c = 0; c < view.channels; c += kLanes) {
            Vector columns[kOutputs][kPoints];  // [column][row]
            Vector sum = hn::Zero(Tag());
            for (int j = 0; j < kOutputs; ++j) {
                Vector x[kOutputs];
                for (int i = 0; i < kOutputs; ++i) {
                    x[i] = load_part(pixels[i][j] + c, view.channels - c);
                    sum = hn::Add(sum, x[i]);
                }
                spread<Unscaled>(x, columns[j]);
            }
            float* out = to + place(layout, tile - range.begin, c);
            for (int i = 0; i < kPoints; ++i) {
                Vector x[kOutputs];
                Vector points[kPoints];
                for (int j = 0; j < kOutputs; ++j) {
                    x[j] = columns[j][i];
                }
                spread<Unscaled>(x, points);
                for (int j = 0; j < kPoints; ++j) {
                    hn::StoreU(points[j], Tag(), out + (i * kPoints + j) * layout.point_step);
                }
            }
            if (sums != nullptr) {
                store_part(hn::Add(sum, load_part(sums + c, view.channels - c)), sums + c, view.channels - c);
            }
        }
    }
}

void transform_gradient(const TileGrid& grid, const ImageView& view, const void* gradient, TileRange range,
                        const TileLayout& layout, float* to, float* sums) {
    with_elements(view, gradient, [&](const auto* elements) {
        if (grid.outputs == kTaps3) {
            gradient_tiles<kTaps3>(grid, view, elements, range, layout, to, sums);
        } else {
            gradient_tiles<kTaps2>(grid, view, elements, range, layout, to, sums);
        }
    });
}

template <int kOutputs, class Element>
HWY_INLINE void output_tiles(const TileGrid& grid, const ImageView& view, const float* from, TileRange range,
                             const TileLayout& layout, const ImageTarget& output) {
    Element* pixels[kOutputs][kOutputs];
    for (std::int64_t tile = range.begin; tile < range.end; ++tile) {
        find_pixels<kOutputs, Element>(grid, view, tile, static_cast<Element*>(output.image), nullptr, pixels);
        for (std::int64_t c = 0; c < view.channels; c += kLanes) {
            const std::int64_t count = view.channels - c;
            const float* in = from + place(layout, tile - range.begin, c);
            Vector columns[kPoints][kOutputs];  // [column][row]
            for (int j = 0; j < kPoints; ++j) {
                Vector points[kPoints];
                for (int i = 0; i < kPoints; ++i) {
                    points[i] = hn::LoadU(Tag(), in + (i * kPoints + j) * layout.point_step);
                }
                collect<Unscaled>(points, columns[j]);
            }
            const Vector bias = output.bias == nullptr ? hn::Zero(Tag()) : load_part(output.bias + c, count);
            for (int i = 0; i < kOutputs; ++i) {
                Vector points[kPoints];
                Vector y[kOutputs];
                for (int j = 0; j < kPoints; ++j) {
                    points[j] = columns[j][i];
                }
                collect<Unscaled>(points, y);
                for (int j = 0; j < kOutputs; ++j) {
                    Element* pixel = pixels[i][j];
                    if (pixel != nullptr) {
                        const Vector base = output.add ? load_part(pixel + c, count) : bias;
                        const Vector sum = hn::Add(y[j], base);
                        store_part(output.relu ? clamp_negative(sum) : sum, pixel + c, count);
                    }
                }
            }
        }
    }
}

void transform_output(const TileGrid& grid, const ImageView& view, const float* from, TileRange range,
                      const TileLayout& layout, const ImageTarget& output) {
    with_elements(view, output.image, [&](const auto* elements) {
        using Element = std::remove_cvref_t<decltype(*elements)>;
        if (grid.outputs == kTaps3) {
            output_tiles<kTaps3, Element>(grid, view, from, range, layout, output);
        } else {
            output_tiles<kTaps2, Element>(grid, view, from, range, layout, output);
        }
    });
}

}  // namespace sluice::onednn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sluice::onednn {

TileGrid::TileGrid(std::int64_t batch_size, std::int64_t height, std::int64_t width, int tile_outputs)
    : batch(batch_size),
      rows((height + tile_outputs - 1) / tile_outputs),
      columns((width + tile_outputs - 1) / tile_outputs),
      outputs(tile_outputs) {}

ImageView::ImageView(DataType image_type, std::int64_t image_height, std::int64_t image_width,
                     std::int64_t image_channels, AxisMap row_map, AxisMap column_map)
    : type(image_type),
      height(image_height),
      width(image_width),
      channels(image_channels),
      rows(std::move(row_map)),
      columns(std::move(column_map)),
      zeros(static_cast<std::size_t>(image_channels)) {}

// One cache line lies between the matrices, so that the same element of all of them does not fall into one set of the
// cache.
TileLayout::TileLayout(std::int64_t tile_count, std::int64_t channels, std::int64_t panel_channels)
    : tiles(tile_count),
      width(round_up(channels, vector_width())),
      panel(panel_channels == 0 ? width : panel_channels),
      point_step(tiles * width + 16) {}

HWY_EXPORT(transform_input);
HWY_EXPORT(transform_gradient);
HWY_EXPORT(transform_output);

void transform_input(const TileGrid& grid, const ImageView& view, const void* image, TileRange range,
                     const TileLayout& layout, float* to) {
    HWY_DYNAMIC_DISPATCH(transform_input)(grid, view, image, range, layout, to);
}

void transform_gradient(const TileGrid& grid, const ImageView& view, const void* gradient, TileRange range,
                        const TileLayout& layout, float* to, float* sums) {
    HWY_DYNAMIC_DISPATCH(transform_gradient)(grid, view, gradient, range, layout, to, sums);
}

void transform_output(const TileGrid& grid, const ImageView& view, const float* from, TileRange range,
                      const TileLayout& layout, const ImageTarget& output) {
    HWY_DYNAMIC_DISPATCH(transform_output)(grid, view, from, range, layout, output);
}

}  // namespace sluice::onednn
#endif
