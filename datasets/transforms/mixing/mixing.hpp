// Common code of mixup and cutmix: mixes each sample of a batch with another one, in place.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "sluice/sdk/batch_transform.hpp"

namespace sluice::transforms {

// Draws from Beta(alpha, alpha), alpha > 0: from 0 to 1, mean 1/2.
double draw_share(double alpha, sdk::Draws& draws);

// to = share * to + (1 - share) * from; bytes are rounded to nearest.
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

// Assigns each sample a partner to mix with, and holds the scratch memory for mixing.
class Partners : public sdk::WorkerContext {
public:
    // Draws a random permutation of the samples. A sample may be its own partner.
    void draw(std::int64_t samples, sdk::Draws& draws);

    // Calls mix(to, from) for each sample, where `from` holds the partner's bytes before mixing. In each cycle of the
    // permutation only the first sample has to be copied.
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

    // Mixes rows of float32 with blend().
    void blend_rows(const SampleRows& rows, float share);

private:
    std::vector<std::size_t> partner_;
    std::vector<bool> done_;
    std::vector<std::uint8_t> kept_;
};

}  // namespace sluice::transforms
