// How kernels over rows of scores, [N, ..., K], go through them: blocks of rows that fit on the stack, some blocks a
// piece, pieces in parallel. A sample's pieces depend on its shape alone, so that sums taken piece by piece do not
// depend on the number of threads.
#pragma once

#include <algorithm>
#include <array>

#include "sluice/sdk/kernel.hpp"

namespace sluice::onednn {

inline constexpr std::int64_t kBlockOfScores = 2048;  // and so the most classes

class RowBlocks {
public:
    RowBlocks(const sluice_tensor_spec& scores, std::int64_t places_of_all)
        : samples_(scores.shape[0]),
          places_(places_of_all / samples_),
          classes_(scores.shape[scores.rank - 1]),
          rows_of_block_(kBlockOfScores / classes_),
          pieces_((places_ - 1) / (rows_of_block_ * kBlocksOfPiece) + 1) {}

    [[nodiscard]] std::int64_t samples() const { return samples_; }
    [[nodiscard]] std::int64_t places() const { return places_; }  // of one sample
    [[nodiscard]] std::int64_t classes() const { return classes_; }
    [[nodiscard]] std::int64_t pieces_of_sample() const { return pieces_; }
    [[nodiscard]] std::int64_t pieces() const { return samples_ * pieces_; }

    // body(piece), in parallel.
    template <class Body>
    void for_pieces(const sluice_launch& launch, const Body& body) const {
        sdk::parallel_for(launch.threads, pieces(), 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t piece = begin; piece < end; ++piece) {
                body(piece);
            }
        });
    }

    // body(first row, rows) for each block of a piece; rows are counted over all samples.
    template <class Body>
    void for_blocks(std::int64_t piece, const Body& body) const {
        const std::int64_t rows_of_piece = rows_of_block_ * kBlocksOfPiece;
        const std::int64_t sample = piece / pieces_ * places_;
        const std::int64_t begin = sample + piece % pieces_ * rows_of_piece;
        const std::int64_t end = std::min(begin + rows_of_piece, sample + places_);
        for (std::int64_t row = begin; row < end; row += rows_of_block_) {
            body(row, std::min(rows_of_block_, end - row));
        }
    }

private:
    static constexpr std::int64_t kBlocksOfPiece = 8;

    std::int64_t samples_;
    std::int64_t places_;  // of one sample
    std::int64_t classes_;
    std::int64_t rows_of_block_;
    std::int64_t pieces_;  // of one sample
};

// The exponentials of one block of rows of two classes or more.
struct RowBlock {
    alignas(64) std::array<float, kBlockOfScores> values;
    std::array<float, kBlockOfScores / 2> most;
    std::array<float, kBlockOfScores / 2> sums;
};

}  // namespace sluice::onednn
