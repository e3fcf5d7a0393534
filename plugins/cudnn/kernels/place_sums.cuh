// Sums a measure of scores [N, ..., K] and a target over the places of each sample. A Measure has
// SumPair of_place(group, scores of the place, its index over all samples). A whole group of threads calls it, and each
// thread gets the result. Scores are read from memory once.
#pragma once

#include "cuda/row_group.cuh"
#include "kernels/sample_sums.cuh"

namespace sluice::cudnn {

struct ScoreShape {
    explicit ScoreShape(const sdk::Node& node)
        : samples(node.inputs()[0].shape[0]),
          classes(node.inputs()[0].shape[node.inputs()[0].rank - 1]),
          places(sdk::element_count(node.inputs()[0]) / samples / classes) {}
    [[nodiscard]] std::int64_t rows() const { return samples * places; }

    std::int64_t samples;
    std::int64_t classes;
    std::int64_t places;  // of one sample
};

// For samples of one place. Groups without a row compute the last one and write nothing.
template <class Measure>
__global__ void single_place_kernel(const float* scores, std::int64_t rows, std::int64_t classes, unsigned threads,
                                    Measure measure, float* out) {
    const RowGroup group(threads);
    for (std::int64_t first = std::int64_t{blockIdx.x} * group.of_block(); first < rows;
         first += std::int64_t{gridDim.x} * group.of_block()) {
        const std::int64_t row = first + group.index();
        const std::int64_t at = row < rows ? row : rows - 1;
        const SumPair found = measure.of_place(group, scores + at * classes, at);
        if (row < rows && group.rank() == 0) {
            out[2 * row] = found.sum;
            out[2 * row + 1] = found.weight;
        }
    }
}

// scores [N, places, classes]; blockIdx.x = sample * pieces + piece
template <class Measure>
__global__ void place_sums_kernel(const float* scores, std::int64_t places, std::int64_t classes, std::int64_t pieces,
                                  unsigned threads, Measure measure, SumPair* partial, float* out) {
    const RowGroup group(threads);
    const std::int64_t begin = blockIdx.x / pieces * places;
    SumPair mine{};
    for (std::int64_t first = blockIdx.x % pieces * group.of_block(); first < places;
         first += pieces * group.of_block()) {
        const std::int64_t place = first + group.index();
        const std::int64_t at = begin + (place < places ? place : places - 1);
        const SumPair found = measure.of_place(group, scores + at * classes, at);
        if (place < places && group.rank() == 0) {
            mine.sum += found.sum;
            mine.weight += found.weight;
        }
    }
    put_piece(mine, pieces, partial, out, WriteSums{});
}

class PlaceSums {
public:
    explicit PlaceSums(const ScoreShape& shape)
        : shape_(shape),
          threads_(threads_for_row(shape.classes)),
          pieces_(pieces_of(shape.samples, shape.places, 4 * kThreads / threads_)) {}

    [[nodiscard]] unsigned threads() const { return threads_; }  // per place
    [[nodiscard]] std::uint64_t workspace() const { return partial_bytes(shape_.samples, pieces_); }

    // Writes the sums over input 0 to output 0 [N, 2].
    template <class Measure>
    void forward(const sluice_launch& launched, const Measure& measure) const {
        const float* const scores = sdk::input<float>(launched, 0);
        float* const out = sdk::output<float>(launched, 0);
        if (shape_.places == 1) {
            launch(launched.stream, blocks_for_rows(shape_.samples, threads_), kThreads, single_place_kernel<Measure>,
                   scores, shape_.samples, shape_.classes, threads_, measure, out);
            return;
        }
        auto* const partial = static_cast<SumPair*>(launched.workspace);
        launch(launched.stream, static_cast<unsigned>(shape_.samples * pieces_), kThreads, place_sums_kernel<Measure>,
               scores, shape_.places, shape_.classes, pieces_, threads_, measure, partial, out);
        add_pieces(launched.stream, partial, shape_.samples, pieces_, out, WriteSums{});
    }

private:
    ScoreShape shape_;
    unsigned threads_;
    std::int64_t pieces_;  // per sample
};

}  // namespace sluice::cudnn
