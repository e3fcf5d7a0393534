// Transform `gaussian_blur`: blurs the chosen images, all with the same strength.
#pragma once

#include <memory>
#include <vector>

#include "sample/field_choice.hpp"
#include "sample/range.hpp"

namespace sluice::transforms {

class GaussianBlur : public sdk::Transform {
public:
    GaussianBlur(sdk::Host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    [[nodiscard]] std::unique_ptr<sdk::WorkerContext> make_context() const override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;

private:
    FieldChoice choice_;
    Range sigma_;  // pixels
    std::vector<Chosen> chosen_;
};

}  // namespace sluice::transforms
