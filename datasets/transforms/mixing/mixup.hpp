// Transform `mixup`: every sample becomes a weighted mean of itself and another of its batch (Zhang et al. 2018).
#pragma once

#include <memory>

#include "mixing/mixing.hpp"
#include "sample/field_choice.hpp"

namespace sluice::transforms {

class Mixup : public sdk::BatchTransform {
public:
    Mixup(sdk::Host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    [[nodiscard]] std::unique_ptr<sdk::WorkerContext> make_context() const override;
    void apply_batch(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                     const sluice_random_key& key) const override;

private:
    FieldChoice choice_;
    double alpha_;
    std::vector<Chosen> chosen_;
};

}  // namespace sluice::transforms
