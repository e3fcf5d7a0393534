// Both passes read and write each element about once, at the rate of the memory: a thread takes 16 bytes of channels of
// one pixel of the image where the channels are a multiple of that, one element otherwise.
#include "conv/margins.hpp"

#include "conv/element_type.cuh"
#include "conv/mirror.cuh"
#include "cuda/launch.cuh"

namespace sluice::cudnn {
namespace {

template <class T, int kPack>
struct alignas(sizeof(T) * kPack) Group {
    T values[kPack];
};

// Groups of the image, one after the other.
struct Groups {
    Groups(const Margins& margins, int pack)
        : count(static_cast<std::uint32_t>(margins.batch * margins.height * margins.width * margins.channels / pack)),
          of_pixel(margins.channels / pack),
          mirror(margins) {}
    std::uint32_t count;
    Divider of_pixel;
    Mirror mirror;
};

template <class T, int kPack>
__global__ void add_kernel(Groups groups, const Group<T, kPack>* image, Group<T, kPack>* padded) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < groups.count; i += index_stride()) {
        std::uint32_t number = i;
        const std::uint32_t group = groups.of_pixel.split(number);
        const std::size_t step = groups.of_pixel.divisor();
        const Mirror::Pixel pixel = groups.mirror.pixel(number);
        const Group<T, kPack> read = image[i];
        padded[groups.mirror.own_place(pixel) * step + group] = read;
        for_other_places(groups.mirror, pixel, [&](std::uint32_t place) { padded[place * step + group] = read; });
    }
}

template <class T, int kPack>
__global__ void fold_kernel(Groups groups, const Group<T, kPack>* padded, Group<T, kPack>* image, bool add) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < groups.count; i += index_stride()) {
        std::uint32_t number = i;
        const std::uint32_t group = groups.of_pixel.split(number);
        const std::size_t step = groups.of_pixel.divisor();
        const Mirror::Pixel pixel = groups.mirror.pixel(number);
        float sums[kPack] = {};
        const auto take = [&](std::uint32_t place) {
            const Group<T, kPack> read = padded[place * step + group];
            for (int k = 0; k < kPack; ++k) {
                sums[k] += to_float(read.values[k]);
            }
        };
        take(groups.mirror.own_place(pixel));
        for_other_places(groups.mirror, pixel, take);
        Group<T, kPack> result = add ? image[i] : Group<T, kPack>{};
        for (int k = 0; k < kPack; ++k) {
            result.values[k] = from_float<T>(add ? to_float(result.values[k]) + sums[k] : sums[k]);
        }
        image[i] = result;
    }
}

template <class T, int kPack>
void add_packs(void* stream, const Margins& m, const void* image, void* padded) {
    const Groups groups(m, kPack);
    launch(stream, blocks_for(groups.count), kThreads, add_kernel<T, kPack>, groups,
           static_cast<const Group<T, kPack>*>(image), static_cast<Group<T, kPack>*>(padded));
}

template <class T, int kPack>
void fold_packs(void* stream, const Margins& m, const void* padded, void* image, bool add) {
    const Groups groups(m, kPack);
    launch(stream, blocks_for(groups.count), kThreads, fold_kernel<T, kPack>, groups,
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
