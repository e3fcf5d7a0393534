// The transform `example`: makes an image brighter or darker, each sample by another amount.
#include <algorithm>

#include "sluice/sdk/plugin.hpp"

namespace {

namespace sdk = sluice::sdk;

class ExampleTransform : public sdk::Transform {
public:
    ExampleTransform(sdk::Host, const sdk::Options& options)
        : field_(options.string("field")), strength_(options.number("strength")) {}

    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override {
        const auto found = std::find_if(fields.begin(), fields.end(),
                                        [&](const sluice_field& field) { return sdk::view(field.name) == field_; });
        if (found == fields.end()) {
            throw sdk::Failure(SLUICE_INVALID, "there is no field '" + field_ + "'");
        }
        if (found->role != SLUICE_FIELD_IMAGE) {
            throw sdk::Failure(SLUICE_INVALID, "field '" + field_ + "' is no image");
        }
        place_ = static_cast<std::size_t>(found - fields.begin());
        sink.field(field_, found->role, found->spec);  // same type and shape as the input, which it replaces
    }

    // The same key and the same fields give the same bytes: every random number comes from the key.
    void apply(sdk::WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override {
        const sluice_tensor& image = fields[place_];
        const auto* const from = static_cast<const std::uint8_t*>(image.data) + image.byte_offset;
        const sluice_tensor_spec spec =
            sdk::make_spec(image.dtype, {image.shape, static_cast<std::size_t>(image.rank)});
        std::uint8_t* const to = sink.allocate(0, spec);
        const double added = strength_ * 255.0 * (2.0 * sdk::Draws(key).uniform() - 1.0);
        std::transform(from, from + sdk::element_count(spec), to, [&](std::uint8_t value) {
            return static_cast<std::uint8_t>(std::clamp(value + added, 0.0, 255.0));
        });
    }

private:
    std::string field_;
    double strength_;
    std::size_t place_ = 0;  // index of the image among the fields; known after describe()
};

constexpr sluice_component kComponents[] = {sdk::component<ExampleTransform>("com.acme.transform.example")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
