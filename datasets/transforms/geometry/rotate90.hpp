// Transform `rotate90`: rotates all chosen pictures of a sample by the same random number of quarter turns.
#pragma once

#include <vector>

#include "sample/field_choice.hpp"

namespace sluice::transforms {

class Rotate90 : public sdk::Transform {
public:
    Rotate90(sdk::Host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;

private:
    FieldChoice choice_;
    std::vector<std::int64_t> turns_;  // counter-clockwise quarter turns; all equally likely
    std::vector<Chosen> chosen_;
};

}  // namespace sluice::transforms
