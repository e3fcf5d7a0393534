// Transform `random_flip`: mirrors all chosen pictures of a sample, or none.
#pragma once

#include <vector>

#include "sample/field_choice.hpp"

namespace sluice::transforms {

class RandomFlip : public sdk::Transform {
public:
    RandomFlip(sdk::Host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;

private:
    FieldChoice choice_;
    bool horizontal_;
    bool vertical_;
    std::vector<Chosen> chosen_;
};

}  // namespace sluice::transforms
