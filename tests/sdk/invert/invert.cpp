#include "sluice/sdk/plugin.hpp"

namespace {

namespace sdk = sluice::sdk;

class Invert : public sdk::Transform {
public:
    Invert(sdk::Host, const sdk::Options& options) : strength_(options.number("strength")) {}

    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override {
        for (const sluice_field& field : fields) {
            if (!sdk::same(field.spec.dtype, sdk::kUint8)) {
                throw sdk::Failure(SLUICE_INVALID, "field '" + std::string(sdk::view(field.name)) + "' is " +
                                                       sdk::describe(field.spec) + "; invert takes uint8");
            }
            sink.field(sdk::view(field.name), field.role, field.spec);
        }
    }

    void apply(sdk::WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key&,
               const sdk::SampleSink& sink) const override {
        for (std::uint32_t i = 0; i < fields.size(); ++i) {
            const auto* from = static_cast<const std::uint8_t*>(fields[i].data) + fields[i].byte_offset;
            const auto rank = static_cast<std::size_t>(fields[i].rank);
            const sluice_tensor_spec spec = sdk::make_spec(fields[i].dtype, {fields[i].shape, rank});
            std::uint8_t* to = sink.allocate(i, spec);
            for (std::int64_t at = 0; at < sdk::element_count(spec); ++at) {
                to[at] = static_cast<std::uint8_t>(from[at] + strength_ * (255 - 2 * from[at]));
            }
        }
    }

private:
    double strength_;
};

constexpr sluice_component kComponents[] = {sdk::component<Invert>("com.example.transform.invert")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
