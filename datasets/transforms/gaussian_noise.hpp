// Transform `gaussian_noise`: adds noise to the chosen images, of one strength to all and to each its own.
#pragma once

#include <vector>

#include "field_choice.hpp"
#include "range.hpp"

namespace sluice::transforms {

class GaussianNoise : public sdk::Transform {
public:
    GaussianNoise(sdk::Host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;

private:
    FieldChoice choice_;
    Range sigma_;                  // levels of 0 to 255
    std::vector<float> quantile_;  // [65536] of the normal distribution, in the middle of each 65536th
    std::vector<Chosen> chosen_;
};

}  // namespace sluice::transforms
