// Both passes read and write each element about once, at the rate of the memory: a thread takes 16 bytes of channels of
// one pixel where the channels are a multiple of that, one element otherwise.
#include "conv/margins.hpp"

#include "conv/element_type.cuh"
#include "cuda/launch.cuh"

namespace sluice::cudnn {
namespace {

// Extents in 32 bits: index arithmetic is what these kernels do most. Channels count packs of kPack elements.
struct Extents {
    explicit Extents(const Margins& margins, int pack)
        : height(static_cast<unsigned>(margins.height)),
          width(static_cast<unsigned>(margins.width)),
          channels(static_cast<unsigned>(margins.channels) / pack),
          padded_height(static_cast<unsigned>(margins.padded_height())),
          padded_width(static_cast<unsigned>(margins.padded_width())),
          top(static_cast<int>(margins.top)),
          left(static_cast<int>(margins.left)),
          bottom(static_cast<int>(margins.bottom)),
          right(static_cast<int>(margins.right)) {}
    unsigned height, width, channels;
    unsigned padded_height, padded_width;
    int top, left, bottom, right;
};

// The element of [0, n) that position `at` of [-(n - 1), 2 n - 2] mirrors.
__device__ inline unsigned mirrored(int at, unsigned n) {
    const int last = static_cast<int>(n) - 1;
    const int positive = at < 0 ? -at : at;
    return static_cast<unsigned>(positive > last ? 2 * last - positive : positive);
}

template <class T, int kPack>
struct alignas(sizeof(T) * kPack) Group {
    T values[kPack];
};

template <class T, int kPack>
__global__ void add_kernel(Extents e, std::int64_t n, const Group<T, kPack>* image, Group<T, kPack>* padded) {
    for (std::int64_t i = first_index(); i < n; i += index_stride()) {
        const auto at = static_cast<unsigned>(i);  // fewer than 2^31
        const unsigned c = at % e.channels;
        const unsigned pixel = at / e.channels;
        const unsigned w = mirrored(static_cast<int>(pixel % e.padded_width) - e.left, e.width);
        const unsigned row = pixel / e.padded_width;
        const unsigned h = mirrored(static_cast<int>(row % e.padded_height) - e.top, e.height);
        const std::int64_t from = (static_cast<std::int64_t>(row / e.padded_height) * e.height + h) * e.width + w;
        padded[i] = image[from * e.channels + c];
    }
}

// Positions of a padded axis that mirror element `at`: at most 3, the first always.
struct Copies {
    __device__ Copies(int at, int n, int before, int after) : count(1) {
        positions[0] = before + at;
        if (at > 0 && at <= before) {
            positions[count++] = before - at;
        }
        if (at < n - 1 && n - 1 - at <= after) {
            positions[count++] = before + 2 * (n - 1) - at;
        }
    }
    int positions[3];
    int count;
};

template <class T, int kPack>
__global__ void fold_kernel(Extents e, std::int64_t n, const Group<T, kPack>* padded, Group<T, kPack>* image,
                            bool add) {
    for (std::int64_t i = first_index(); i < n; i += index_stride()) {
        const auto at = static_cast<unsigned>(i);
        const unsigned c = at % e.channels;
        const unsigned pixel = at / e.channels;
        const unsigned row = pixel / e.width;
        const Copies columns(static_cast<int>(pixel % e.width), static_cast<int>(e.width), e.left, e.right);
        const Copies rows(static_cast<int>(row % e.height), static_cast<int>(e.height), e.top, e.bottom);
        const std::int64_t first = static_cast<std::int64_t>(row / e.height) * e.padded_height;
        float sums[kPack] = {};
        for (int r = 0; r < rows.count; ++r) {
            for (int s = 0; s < columns.count; ++s) {
                const std::int64_t from = (first + rows.positions[r]) * e.padded_width + columns.positions[s];
                const Group<T, kPack> read = padded[from * e.channels + c];
                for (int k = 0; k < kPack; ++k) {
                    sums[k] += to_float(read.values[k]);
                }
            }
        }
        Group<T, kPack> result = add ? image[i] : Group<T, kPack>{};
        for (int k = 0; k < kPack; ++k) {
            result.values[k] = from_float<T>(add ? to_float(result.values[k]) + sums[k] : sums[k]);
        }
        image[i] = result;
    }
}

template <class T, int kPack>
void add_packs(void* stream, const Margins& m, const void* image, void* padded) {
    const std::int64_t n = m.batch * m.padded_height() * m.padded_width() * m.channels / kPack;
    launch(stream, blocks_for(n), kThreads, add_kernel<T, kPack>, Extents(m, kPack), n,
           static_cast<const Group<T, kPack>*>(image), static_cast<Group<T, kPack>*>(padded));
}

template <class T, int kPack>
void fold_packs(void* stream, const Margins& m, const void* padded, void* image, bool add) {
    const std::int64_t n = m.batch * m.height * m.width * m.channels / kPack;
    launch(stream, blocks_for(n), kThreads, fold_kernel<T, kPack>, Extents(m, kPack), n,
           static_cast<const Group<T, kPack>*>(padded), static_cast<Group<T, kPack>*>(image), add);
}

}  // namespace

void add_margins(void* stream, cudnnDataType_t type, const Margins& margins, const void* image, void* padded) {
    with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        margins.channels % Pack<T>::kSize == 0 ? add_packs<T, Pack<T>::kSize>(stream, margins, image, padded)
                                               : add_packs<T, 1>(stream, margins, image, padded);
    });
}

void fold_margins(void* stream, cudnnDataType_t type, const Margins& margins, const void* padded, void* image,
                  bool add) {
    with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        margins.channels % Pack<T>::kSize == 0 ? fold_packs<T, Pack<T>::kSize>(stream, margins, padded, image, add)
                                               : fold_packs<T, 1>(stream, margins, padded, image, add);
    });
}

}  // namespace sluice::cudnn
