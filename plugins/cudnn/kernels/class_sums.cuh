// Computes two sums for each class over the places of each sample, from scores [N, ..., K]. A block takes a piece of a
// sample's places and up to kThreads classes, in tiles of kThreads places. First each group of threads reads one place,
// then the threads of each class add up its terms. A second launch adds the pieces.
//
// A Count has, for scores of type T:
//   Place: what all classes of a place share
//   Place of_place(group, index of the place in the whole tensor): a whole group calls it and gets the result
//   SumPair of_class(place, its index, class)
#pragma once

#include "cuda/row_group.cuh"
#include "kernels/sample_sums.cuh"

namespace sluice::cudnn {

// The role of a thread in a block whose threads are spread over `width` classes. Each class has `slices` threads; some
// threads may be left over.
struct ClassThread {
    __device__ explicit ClassThread(std::int64_t classes)
        : width(classes < kThreads ? static_cast<unsigned>(classes) : kThreads),
          slices(kThreads / width),
          offset(threadIdx.x % width),
          slice(threadIdx.x / width) {}

    // Adds the sums of a class over its slices, in order. The thread of slice 0 gets the result. All threads of the
    // block must call it.
    __device__ SumPair add_slices(SumPair mine) const {
        __shared__ SumPair shared[kThreads];
        __syncthreads();
        shared[threadIdx.x] = mine;
        __syncthreads();
        for (unsigned s = 1; slice == 0 && s < slices; ++s) {
            mine.sum += shared[s * width + offset].sum;
            mine.weight += shared[s * width + offset].weight;
        }
        return mine;
    }

    unsigned width;
    unsigned slices;
    unsigned offset;
    unsigned slice;
};

// partial [N * pieces, classes]; blockIdx = (sample * pieces + piece, block of classes)
template <class Count>
__global__ void class_sums_kernel(Count count, std::int64_t places, std::int64_t classes, std::int64_t pieces,
                                  unsigned threads, SumPair* partial) {
    __shared__ typename Count::Place tile[kThreads];
    const RowGroup group(threads);
    const std::int64_t base = std::int64_t{blockIdx.y} * kThreads;
    const ClassThread thread(classes - base);
    const std::int64_t c = base + thread.offset;
    const std::int64_t begin = blockIdx.x / pieces * places;
    SumPair mine{};
    for (std::int64_t first = blockIdx.x % pieces * kThreads; first < places; first += pieces * kThreads) {
        const auto in_tile = static_cast<unsigned>(places - first < kThreads ? places - first : kThreads);
        __syncthreads();
        for (unsigned i = 0; i < kThreads; i += group.of_block()) {
            const unsigned place = i + group.index();
            const typename Count::Place found =
                count.of_place(group, begin + first + (place < in_tile ? place : in_tile - 1));
            if (group.rank() == 0) {
                tile[place] = found;
            }
        }
        __syncthreads();
        for (unsigned i = thread.slice; i < in_tile && thread.slice < thread.slices; i += thread.slices) {
            const SumPair seen = count.of_class(tile[i], begin + first + i, c);
            mine.sum += seen.sum;
            mine.weight += seen.weight;
        }
    }
    mine = thread.add_slices(mine);
    if (thread.slice == 0) {
        partial[blockIdx.x * classes + c] = mine;
    }
}

// Adds the pieces of class c of one sample, in a kernel with one block per sample. The threads of slice 0 get the sums.
__device__ inline SumPair add_class_pieces(const ClassThread& thread, const SumPair* partial, std::int64_t pieces,
                                           std::int64_t classes, std::int64_t c) {
    SumPair mine{};
    for (std::int64_t piece = thread.slice; piece < pieces && thread.slice < thread.slices && c < classes;
         piece += thread.slices) {
        const SumPair found = partial[piece * classes + c];
        mine.sum += found.sum;
        mine.weight += found.weight;
    }
    return thread.add_slices(mine);
}

class ClassSums {
public:
    ClassSums(std::int64_t samples, std::int64_t places, std::int64_t classes)
        : samples_(samples),
          places_(places),
          classes_(classes),
          blocks_of_classes_((classes + kThreads - 1) / kThreads),
          pieces_(pieces_of(samples * blocks_of_classes_, places, kThreads)),
          threads_(threads_for_row(classes)) {}

    [[nodiscard]] std::int64_t pieces() const { return pieces_; }  // per sample
    [[nodiscard]] unsigned threads() const { return threads_; }    // per place
    [[nodiscard]] std::uint64_t workspace() const {
        return static_cast<std::uint64_t>(samples_ * pieces_ * classes_) * sizeof(SumPair);
    }

    // Fills the workspace.
    template <class Count>
    void count(const sluice_launch& launched, const Count& count) const {
        const dim3 blocks(static_cast<unsigned>(samples_ * pieces_), static_cast<unsigned>(blocks_of_classes_));
        launch(launched.stream, blocks, kThreads, class_sums_kernel<Count>, count, places_, classes_, pieces_, threads_,
               static_cast<SumPair*>(launched.workspace));
    }

private:
    std::int64_t samples_;
    std::int64_t places_;
    std::int64_t classes_;
    std::int64_t blocks_of_classes_;
    std::int64_t pieces_;
    unsigned threads_;
};

}  // namespace sluice::cudnn
