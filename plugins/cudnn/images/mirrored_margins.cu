// Both passes read and write each element about once, at the bandwidth of the memory. A thread takes 16 bytes of
// channels of one pixel of the image if the channels are a multiple of that, else one element. If channels of zeros are
// added, it writes 16 bytes.
#include "images/mirrored_margins.hpp"

#include "cuda/element_type.cuh"
#include "cuda/launch.cuh"
#include "images/mirror.cuh"

namespace sluice::cudnn {
namespace {

// Groups of `pack` channels of the image's pixels, one after the other. channels: those of the image or of the source.
struct Groups {
    Groups(const Margins& margins, std::int64_t channels, int pack)
        : count(static_cast<std::uint32_t>(margins.batch * margins.height * margins.width * channels / pack)),
          of_pixel(channels / pack),
          step(static_cast<std::size_t>(margins.all_channels() / pack)),
          mirror(margins) {}
    std::uint32_t count;
    Divider of_pixel;
    std::size_t step;  // groups from one pixel of the source to the next
    Mirror mirror;
};

template <class T, int kPack>
__global__ void add_kernel(Groups groups, const Pack<T, kPack>* image, Pack<T, kPack>* padded) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < groups.count; i += index_stride()) {
        std::uint32_t number = i;
        const std::uint32_t group = groups.of_pixel.split(number);
        const Mirror::Pixel pixel = groups.mirror.pixel(number);
        const Pack<T, kPack> read = image[i];
        padded[groups.mirror.own_place(pixel) * groups.step + group] = read;
        for_other_places(groups.mirror, pixel,
                         [&](std::uint32_t place) { padded[place * groups.step + group] = read; });
    }
}

// groups: of the source
template <class T>
__global__ void widen_kernel(Groups groups, std::uint32_t channels, const T* image, T* padded) {
    constexpr std::uint32_t kSize = Pack<T>::kSize;
    for (auto i = static_cast<std::uint32_t>(first_index()); i < groups.count; i += index_stride()) {
        std::uint32_t number = i;
        const std::uint32_t group = groups.of_pixel.split(number);
        const T* const from = image + static_cast<std::size_t>(number) * channels;
        Pack<T> out;
        for (std::uint32_t k = 0; k < kSize; ++k) {
            out.values[k] = group * kSize + k < channels ? from[group * kSize + k] : from_float<T>(0.0F);
        }
        const Mirror::Pixel pixel = groups.mirror.pixel(number);
        store_pack(padded + (groups.mirror.own_place(pixel) * groups.step + group) * kSize, out);
        for_other_places(groups.mirror, pixel,
                         [&](std::uint32_t place) { store_pack(padded + (place * groups.step + group) * kSize, out); });
    }
}

template <class T, int kPack>
__global__ void fold_margins_kernel(Groups groups, const Pack<T, kPack>* padded, Pack<T, kPack>* image, bool add) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < groups.count; i += index_stride()) {
        std::uint32_t number = i;
        const std::uint32_t group = groups.of_pixel.split(number);
        const Mirror::Pixel pixel = groups.mirror.pixel(number);
        float sums[kPack] = {};
        const auto take = [&](std::uint32_t place) {
            const Pack<T, kPack> read = padded[place * groups.step + group];
            for (int k = 0; k < kPack; ++k) {
                sums[k] += to_float(read.values[k]);
            }
        };
        take(groups.mirror.own_place(pixel));
        for_other_places(groups.mirror, pixel, take);
        Pack<T, kPack> result = add ? image[i] : Pack<T, kPack>{};
        for (int k = 0; k < kPack; ++k) {
            result.values[k] = from_float<T>(add ? to_float(result.values[k]) + sums[k] : sums[k]);
        }
        image[i] = result;
    }
}

template <class T, int kPack>
void add_packs(void* stream, const Margins& m, const void* image, void* padded) {
    const Groups groups(m, m.channels, kPack);
    launch(stream, blocks_for(groups.count), kThreads, add_kernel<T, kPack>, groups,
           static_cast<const Pack<T, kPack>*>(image), static_cast<Pack<T, kPack>*>(padded));
}

template <class T>
void widen(void* stream, const Margins& m, const void* image, void* padded) {
    const Groups groups(m, m.all_channels(), Pack<T>::kSize);
    launch(stream, blocks_for(groups.count), kThreads, widen_kernel<T>, groups, static_cast<std::uint32_t>(m.channels),
           static_cast<const T*>(image), static_cast<T*>(padded));
}

template <class T, int kPack>
void fold_packs(void* stream, const Margins& m, const void* padded, void* image, bool add) {
    const Groups groups(m, m.channels, kPack);
    launch(stream, blocks_for(groups.count), kThreads, fold_margins_kernel<T, kPack>, groups,
           static_cast<const Pack<T, kPack>*>(padded), static_cast<Pack<T, kPack>*>(image), add);
}

}  // namespace

void add_margins(void* stream, cudnnDataType_t type, const Margins& margins, const void* image, void* padded) {
    with_element_type(type, [&](auto zero) {
        using T = decltype(zero);
        if (margins.added_channels > 0) {
            widen<T>(stream, margins, image, padded);
            return;
        }
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
