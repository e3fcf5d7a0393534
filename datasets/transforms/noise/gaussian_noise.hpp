// Transform `gaussian_noise`: adds independent noise of the same strength to each chosen image.
#pragma once

#include <vector>

#include "sample/field_choice.hpp"
#include "sample/range.hpp"

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
    std::vector<float> quantile_;  // [65536] quantiles of the normal distribution, at (i + 1/2) / 65536
    std::vector<Chosen> chosen_;
};

}  // namespace sluice::transforms
