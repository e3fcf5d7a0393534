// Transform `cutmix`: every sample gets a rectangle of another sample of its batch. Labels are blended by the share of
// the rectangle's area (Yun et al. 2019).
#pragma once

#include <memory>

#include "mixing/mixing.hpp"
#include "sample/field_choice.hpp"
#include "sample/picture.hpp"

namespace sluice::transforms {

class Cutmix : public sdk::BatchTransform {
public:
    Cutmix(sdk::Host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    [[nodiscard]] std::unique_ptr<sdk::WorkerContext> make_context() const override;
    void apply_batch(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                     const sluice_random_key& key) const override;

private:
    [[nodiscard]] Window draw_box(Extent picture, sdk::Draws& draws) const;

    FieldChoice choice_;
    double alpha_;
    std::vector<Chosen> chosen_;  // pictures, then labels
    std::size_t pictures_ = 0;    // number of pictures among them
};

}  // namespace sluice::transforms
