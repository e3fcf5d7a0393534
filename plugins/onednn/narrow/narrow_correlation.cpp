#include "narrow/narrow_correlation.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "gemm/multiply.hpp"
#include "math/conversions.hpp"
#include "sluice/sdk/host.hpp"

namespace sluice::onednn {
namespace {

// Row r of the source adds to rows r - kernel + 1 ... r of the result, which starts at row kernel - 1 of each column.
// Columns lie an odd number of cache lines apart, so that those of a block do not share the same few sets of the cache.
std::int64_t step_of(const NarrowPlan& plan, std::int64_t width) {
    constexpr std::int64_t kLine = 16;
    const auto rows = static_cast<std::int64_t>(plan.from.rows.size());
    return (round_up((rows - 1) * plan.channels + width, kLine) / kLine | 1) * kLine;
}

}  // namespace

NarrowCorrelation::NarrowCorrelation(NarrowPlan plan, std::int64_t threads, Layout& workspace)
    : plan_(std::move(plan)),
      blocks_(plan_.batch, plan_.width, threads),
      depth_(plan_.kernel * plan_.from.channels),
      width_(round_up(plan_.kernel * plan_.channels, vector_width())),
      column_step_(step_of(plan_, width_)),
      turned_floats_(blocks_.most_columns() * column_step_),
      memory_floats_(turned_floats_ + (blocks_.most_columns() + plan_.kernel - 1) * plan_.from.channels),
      matrix_(static_cast<std::uint64_t>(depth_ * width_) * sizeof(float), plan_.trains, workspace),
      memory_(workspace.take(static_cast<std::uint64_t>(threads * memory_floats_) * sizeof(float))) {}

void NarrowCorrelation::run(const sluice_launch& launch, const void* from, const float* kernels,
                            const ImageTarget& to) {
    const float* matrix = pack(launch, kernels);
    sdk::parallel_for(launch.threads, blocks_.count(), blocks_.grain(),
                      [&](std::int64_t begin, std::int64_t end, std::uint32_t piece) {
                          float* memory = at(launch, memory_) + piece * memory_floats_;
                          for (std::int64_t block = begin; block < end; ++block) {
                              if (plan_.from.type == DataType::bf16) {
                                  run_block(blocks_[block], static_cast<const Bfloat16*>(from), matrix, to, memory);
                              } else {
                                  run_block(blocks_[block], static_cast<const float*>(from), matrix, to, memory);
                              }
                          }
                      });
}

const float* NarrowCorrelation::pack(const sluice_launch& launch, const float* kernels) {
    const PackedMemory::Place place = matrix_.place(launch, kernels);
    if (!place.stale) {
        return place.memory;
    }
    std::fill_n(place.memory, depth_ * width_, 0.0F);
    float* to = place.memory;
    for (std::int64_t kx = 0; kx < plan_.kernel; ++kx) {
        for (std::int64_t from = 0; from < plan_.from.channels; ++from, to += width_) {
            for (std::int64_t ky = 0; ky < plan_.kernel; ++ky) {
                for (std::int64_t channel = 0; channel < plan_.channels; ++channel) {
                    to[(plan_.kernel - 1 - ky) * plan_.channels + channel] =
                        kernels[plan_.kernel_index(ky, kx, from, channel)];
                }
            }
        }
    }
    return place.memory;
}

template <class Element>
void NarrowCorrelation::run_block(const ColumnBlocks::Block& block, const Element* from, const float* matrix,
                                  const ImageTarget& to, float* memory) const {
    const PaddedImage& image = plan_.from;
    std::fill_n(memory, block.columns() * column_step_, 0.0F);
    for (std::size_t row = 0; row < image.rows.size(); ++row) {
        if (image.rows[row] == kOutside) {
            continue;
        }
        const Element* pixels = from + (block.image * image.height + image.rows[row]) * image.width * image.channels;
        multiply({.a = padded_row(block, pixels, memory + turned_floats_),
                  .a_row = image.channels,
                  .a_step = 1,
                  .b = matrix,
                  .b_row = width_,
                  .c = memory + static_cast<std::int64_t>(row) * plan_.channels,
                  .c_row = column_step_,
                  .rows = block.columns(),
                  .columns = width_,
                  .depth = depth_,
                  .add = true});
    }
    if (plan_.type == DataType::bf16) {
        store<Bfloat16>(block, memory, to);
    } else {
        store<float>(block, memory, to);
    }
}

// Returns the part of a row that the block reads. Copies it only if it contains padding or is not float32.
template <class Element>
const float* NarrowCorrelation::padded_row(const ColumnBlocks::Block& block, const Element* row, float* memory) const {
    const std::int64_t channels = plan_.from.channels;
    const std::int32_t* elements = plan_.from.columns.data() + block.begin;
    const std::int64_t columns = block.columns() + plan_.kernel - 1;
    if (elements[0] != kOutside && elements[columns - 1] - elements[0] == columns - 1) {
        const Element* begin = row + elements[0] * channels;
        if constexpr (std::is_same_v<Element, float>) {
            return begin;
        }
        convert(memory, begin, columns * channels, false);
        return memory;
    }
    for (std::int64_t column = 0; column < columns; ++column) {
        float* to = memory + column * channels;
        if (elements[column] == kOutside) {
            std::fill_n(to, channels, 0.0F);
        } else {
            convert(to, row + elements[column] * channels, channels, false);
        }
    }
    return memory;
}

template <class Element>
void NarrowCorrelation::store(const ColumnBlocks::Block& block, const float* turned, const ImageTarget& to) const {
    for (std::int64_t y = 0; y < plan_.height; ++y) {
        const float* from = turned + (y + plan_.kernel - 1) * plan_.channels;
        Element* pixel = static_cast<Element*>(to.image) +
                         ((block.image * plan_.height + y) * plan_.width + block.begin) * plan_.channels;
        for (std::int64_t x = 0; x < block.columns(); ++x, from += column_step_, pixel += plan_.channels) {
            for (std::int64_t c = 0; c < plan_.channels; ++c) {
                const float base = to.add ? static_cast<float>(pixel[c]) : to.bias != nullptr ? to.bias[c] : 0.0F;
                const float sum = base + from[c];
                pixel[c] = to.relu && sum < 0.0F ? 0.0F : sum;
            }
        }
    }
}

}  // namespace sluice::onednn
