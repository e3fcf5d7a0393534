#include "noise/jpeg_artifacts.hpp"

#include "codec/jpeg.hpp"

namespace sluice::transforms {
namespace {

struct JpegArtifactsContext : sdk::WorkerContext {
    JpegWriter writer;
};

}  // namespace

JpegArtifacts::JpegArtifacts(sdk::Host, const sdk::Options& options)
    : choice_(options), range_(range_of(options, "quality")) {
    const std::string subsampling = options.string("subsampling");
    quality_.across = subsampling == "4:4:4" ? 1 : 2;
    quality_.down = subsampling == "4:2:0" ? 2 : 1;
}

void JpegArtifacts::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.images(fields);
    for (const Chosen& field : chosen_) {
        require_rgb(field);
        sink.field(field.name, field.role, field.spec);
    }
}

std::unique_ptr<sdk::WorkerContext> JpegArtifacts::make_context() const {
    return std::make_unique<JpegArtifactsContext>();
}

void JpegArtifacts::apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                          const sluice_random_key& key, const sdk::SampleSink& sink) const {
    const auto least = static_cast<std::int64_t>(range_.least);
    const auto greatest = static_cast<std::int64_t>(range_.greatest);
    JpegQuality quality = quality_;
    quality.quality = static_cast<int>(least + sdk::Draws(key).below(greatest - least + 1));
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        const Picture picture = picture_of(field);
        JpegReader reader(static_cast<JpegArtifactsContext&>(context).writer.write(picture, quality));
        reader.read(sink.allocate(i, spec_like(field, picture.extent)));
    }
}

}  // namespace sluice::transforms
