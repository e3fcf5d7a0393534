// What mixup and cutmix share: each sample of a batch gets a part of another, in place.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "sluice/sdk/batch_transform.hpp"

namespace sluice::transforms {

// Of Beta(alpha, alpha), alpha > 0: from 0 to 1, 1/2 in the mean.
double draw_share(double alpha, sdk::Draws& draws);

// to = share * to + (1 - share) * from; bytes are rounded to the nearest.
void blend(std::uint8_t* to, const std::uint8_t* from, std::int64_t count, float share);
void blend(float* to, const float* from, std::int64_t count, float share);

// One field of all samples.
struct SampleRows {
    std::uint8_t* bytes;
    std::size_t bytes_of_sample;
};

inline SampleRows rows_of(const sluice_tensor& field) {
    const auto elements = static_cast<std::size_t>(field.strides[0]);
    return {static_cast<std::uint8_t*>(field.data) + field.byte_offset, elements * field.dtype.bits / 8};
}

// Who gets a part of whom, and the scratch memory for it.
class Partners : public sdk::WorkerContext {
public:
    // A random permutation of the samples; some may stay by themselves.
    void draw(std::int64_t samples, sdk::Draws& draws);

    // mix(to, from): `from` holds the bytes that the partner had before. Along each circle of partners, only those of
    // its first sample have to be kept.
    template <class Mix>
    void mix(const SampleRows& rows, const Mix& mix) {
        const auto sample = [&](std::size_t i) { return rows.bytes + i * rows.bytes_of_sample; };
        kept_.resize(rows.bytes_of_sample);
        done_.assign(partner_.size(), false);
        for (std::size_t first = 0; first < partner_.size(); ++first) {
            if (done_[first] || partner_[first] == first) {
                continue;
            }
            std::memcpy(kept_.data(), sample(first), rows.bytes_of_sample);
            std::size_t i = first;
            for (; partner_[i] != first; i = partner_[i]) {
                mix(sample(i), sample(partner_[i]));
                done_[i] = true;
            }
            mix(sample(i), kept_.data());
            done_[i] = true;
        }
    }

    // Blends floats.
    void blend_rows(const SampleRows& rows, float share);

private:
    std::vector<std::size_t> partner_;
    std::vector<bool> done_;
    std::vector<std::uint8_t> kept_;
};

}  // namespace sluice::transforms
