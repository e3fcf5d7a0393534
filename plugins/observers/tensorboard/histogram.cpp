// Counts the elements of a tensor in buckets of equal width.
#include "tensorboard/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sluice/sdk/guard.hpp"
#include "sluice/sdk/tensor.hpp"

namespace sluice::observers::tensorboard {
namespace {

constexpr std::size_t kBuckets = 30;  // as TensorBoard's own writer has by default

// Calls `take` for each element from dimension `dimension` on.
template <class Take>
void for_each_element(const sluice_tensor& tensor, std::int32_t dimension, const float* at, const Take& take) {
    if (dimension == tensor.rank) {
        take(*at);
        return;
    }
    for (std::int64_t i = 0; i < tensor.shape[dimension]; ++i) {
        for_each_element(tensor, dimension + 1, at + i * tensor.strides[dimension], take);
    }
}

template <class Take>
void for_each_finite(const sluice_tensor& tensor, const Take& take) {
    const auto* first =
        reinterpret_cast<const float*>(static_cast<const std::uint8_t*>(tensor.data) + tensor.byte_offset);
    for_each_element(tensor, 0, first, [&](float value) {
        if (std::isfinite(value)) {
            take(static_cast<double>(value));
        }
    });
}

}  // namespace

std::vector<Bucket> buckets_of(const std::string& name, const sluice_tensor& tensor) {
    if (!sdk::same(tensor.dtype, sdk::kFloat32)) {
        throw sdk::Failure(SLUICE_INVALID, "the tensor of weights '" + name + "' is " + sdk::name_of(tensor.dtype) +
                                               "; it must be float32");
    }
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    double count = 0.0;
    for_each_finite(tensor, [&](double value) {
        least = std::min(least, value);
        most = std::max(most, value);
        count += 1.0;
    });
    if (count == 0.0) {
        return {};
    }
    if (least == most) {
        return {{least - 0.5, least + 0.5, count}};
    }
    const double width = (most - least) / kBuckets;
    std::vector<Bucket> buckets;
    for (std::size_t i = 0; i < kBuckets; ++i) {
        const auto left = static_cast<double>(i);
        buckets.push_back({least + width * left, i + 1 == kBuckets ? most : least + width * (left + 1.0), 0.0});
    }
    for_each_finite(tensor, [&](double value) {
        const auto place = static_cast<std::size_t>((value - least) / width);
        buckets[std::min(place, kBuckets - 1)][2] += 1.0;
    });
    return buckets;
}

}  // namespace sluice::observers::tensorboard
