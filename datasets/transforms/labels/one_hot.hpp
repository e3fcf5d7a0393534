// Transform `one_hot`: turns a class number into a vector with one value per class.
#pragma once

#include <string>

#include "sample/field_choice.hpp"

namespace sluice::transforms {

class OneHot : public sdk::Transform {
public:
    OneHot(sdk::Host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;

private:
    std::string from_;
    std::string to_;
    std::int64_t classes_;
    float smoothing_;  // share of the weight that is spread evenly over all classes
    std::uint32_t source_ = 0;
};

}  // namespace sluice::transforms
