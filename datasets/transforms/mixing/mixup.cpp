#include "mixing/mixup.hpp"

namespace sluice::transforms {

Mixup::Mixup(sdk::Host, const sdk::Options& options) : choice_(options), alpha_(options.number("alpha")) {}

void Mixup::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.mixed(fields, false);
    for (const Chosen& field : chosen_) {
        sink.field(field.name, field.role, field.spec);
    }
}

std::unique_ptr<sdk::WorkerContext> Mixup::make_context() const { return std::make_unique<Partners>(); }

void Mixup::apply_batch(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                        const sluice_random_key& key) const {
    auto& partners = static_cast<Partners&>(context);
    sdk::Draws draws(key);
    const auto share = static_cast<float>(draw_share(alpha_, draws));
    partners.draw(fields[chosen_.front().index].shape[0], draws);
    for (const Chosen& field : chosen_) {
        const SampleRows rows = rows_of(fields[field.index]);
        if (field.role == SLUICE_FIELD_IMAGE) {
            partners.mix(rows, [&](std::uint8_t* to, const std::uint8_t* from) {
                blend(to, from, static_cast<std::int64_t>(rows.bytes_of_sample), share);
            });
        } else {
            partners.blend_rows(rows, share);
        }
    }
}

}  // namespace sluice::transforms
