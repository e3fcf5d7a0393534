// How kernels go through rows of scores [N, ..., K]: in blocks of rows that fit on the stack, several blocks to a
// piece, pieces in parallel. The pieces of a sample depend on its shape alone, so that sums over pieces do not depend
// on the number of threads.
#pragma once

#include <algorithm>
#include <array>

#include "math/softmax_rows.hpp"
#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

inline constexpr std::int64_t kBlockOfScores = 2048;  // also the largest number of classes

// Rows of at least two classes, as row_exponentials() writes them.
struct RowBlock {
    std::int64_t first;  // row, counted over all samples
    Rows rows;
    alignas(64) std::array<float, kBlockOfScores> values;
    std::array<float, kBlockOfScores / 2> most;
    std::array<float, kBlockOfScores / 2> sums;
};

class RowBlocks {
public:
    explicit RowBlocks(const sluice_tensor_spec& scores)
        : samples_(scores.shape[0]),
          classes_(scores.shape[scores.rank - 1]),
          positions_(sdk::element_count(scores) / samples_ / classes_),
          rows_of_block_(kBlockOfScores / classes_),
          pieces_((positions_ - 1) / (rows_of_block_ * kBlocksOfPiece) + 1) {}

    [[nodiscard]] std::int64_t samples() const { return samples_; }
    [[nodiscard]] std::int64_t classes() const { return classes_; }
    [[nodiscard]] std::int64_t pieces_of_sample() const { return pieces_; }
    [[nodiscard]] std::int64_t pieces() const { return samples_ * pieces_; }

    // Calls body(piece) in parallel.
    template <class Body>
    void for_pieces(const sluice_launch& launch, const Body& body) const {
        sdk::parallel_for(launch.threads, pieces(), 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t piece = begin; piece < end; ++piece) {
                body(piece);
            }
        });
    }

    // Calls body(block) for each block of a piece of input 0; body may change the block.
    template <class Body>
    void for_blocks(const sluice_launch& launch, std::int64_t piece, const Body& body) const {
        const float* const scores = sdk::input<float>(launch, 0);
        const std::int64_t rows_of_piece = rows_of_block_ * kBlocksOfPiece;
        const std::int64_t sample = piece / pieces_ * positions_;
        const std::int64_t begin = sample + piece % pieces_ * rows_of_piece;
        const std::int64_t end = std::min(begin + rows_of_piece, sample + positions_);
        RowBlock block;
        for (block.first = begin; block.first < end; block.first += rows_of_block_) {
            block.rows = {std::min(rows_of_block_, end - block.first), classes_};
            row_exponentials(block.values.data(), scores + block.first * classes_, block.rows, block.most.data(),
                             block.sums.data());
            body(block);
        }
    }

private:
    static constexpr std::int64_t kBlocksOfPiece = 8;

    std::int64_t samples_;
    std::int64_t classes_;
    std::int64_t positions_;  // of one sample
    std::int64_t rows_of_block_;
    std::int64_t pieces_;  // of one sample
};

}  // namespace sluice::onednn
