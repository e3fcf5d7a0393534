// Transform `resize`: scales every chosen picture to one size.
#pragma once

#include <memory>
#include <vector>

#include "field_choice.hpp"
#include "picture.hpp"

namespace sluice::transforms {

class Resize : public sdk::Transform {
public:
    Resize(sdk::Host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    [[nodiscard]] std::unique_ptr<sdk::WorkerContext> make_context() const override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;

private:
    FieldChoice choice_;
    Extent size_;
    bool is_bilinear_;
    std::vector<Chosen> chosen_;
};

}  // namespace sluice::transforms
