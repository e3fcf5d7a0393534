// The transform of whole batches `example`: moves the images towards their mean, each batch by another amount.
#include <algorithm>

#include "sluice/sdk/plugin.hpp"

namespace {

namespace sdk = sluice::sdk;

class ExampleTransform : public sdk::BatchTransform {
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
        // It is changed in place, so its type and shape stay.
        sink.field(field_, found->role, found->spec);
    }

    // The same key and the same batch give the same bytes: every random number comes from the key.
    void apply_batch(sdk::WorkerContext&, std::span<const sluice_tensor> fields,
                     const sluice_random_key& key) const override {
        const sluice_tensor& images = fields[place_];
        const std::int64_t samples = images.shape[0];
        const std::int64_t bytes = sdk::element_count(  // of a sample
            sdk::make_spec(images.dtype, {images.shape + 1, static_cast<std::size_t>(images.rank - 1)}));
        auto* const data = static_cast<std::uint8_t*>(images.data) + images.byte_offset;
        const double share = strength_ * sdk::Draws(key).uniform();
        for (std::int64_t i = 0; i < bytes; ++i) {
            double sum = 0.0;
            for (std::int64_t sample = 0; sample < samples; ++sample) {
                sum += data[sample * bytes + i];
            }
            const double pull = share * sum / static_cast<double>(samples) + 0.5;
            for (std::int64_t sample = 0; sample < samples; ++sample) {
                std::uint8_t& value = data[sample * bytes + i];
                value = static_cast<std::uint8_t>((1.0 - share) * value + pull);
            }
        }
    }

private:
    std::string field_;
    double strength_;
    std::size_t place_ = 0;  // index of the images among the fields; known after describe()
};

constexpr sluice_component kComponents[] = {sdk::component<ExampleTransform>("com.acme.transform.example")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
