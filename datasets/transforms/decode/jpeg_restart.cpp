#include "decode/jpeg_restart.hpp"

#include <cstring>

#include "codec/add_restarts.hpp"
#include "codec/jpeg.hpp"

namespace sluice::transforms {

void JpegRestart::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.encoded(fields);
    for (const Chosen& field : chosen_) {
        sink.field(field.name, SLUICE_FIELD_ENCODED, sdk::make_spec(sdk::kUint8, {-1}));
    }
}

void JpegRestart::apply(sdk::WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key&,
                        const sdk::SampleSink& sink) const {
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        const std::span file(static_cast<const std::uint8_t*>(field.data) + field.byte_offset,
                             static_cast<std::size_t>(field.shape[0]));
        const std::vector<std::uint8_t> written =
            is_jpeg(file) ? add_restarts(file) : std::vector<std::uint8_t>(file.begin(), file.end());
        const auto bytes = static_cast<std::int64_t>(written.size());
        std::memcpy(sink.allocate(i, sdk::make_spec(sdk::kUint8, {bytes})), written.data(), written.size());
    }
}

}  // namespace sluice::transforms
