// Transform `jpeg_artifacts`: compresses the chosen images as JPEG and decodes them again.
#pragma once

#include <memory>
#include <vector>

#include "codec/jpeg_writer.hpp"
#include "sample/field_choice.hpp"
#include "sample/range.hpp"

namespace sluice::transforms {

class JpegArtifacts : public sdk::Transform {
public:
    JpegArtifacts(sdk::Host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    [[nodiscard]] std::unique_ptr<sdk::WorkerContext> make_context() const override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;

private:
    FieldChoice choice_;
    Range range_;          // of the quality: integers, both ends included
    JpegQuality quality_;  // all settings but the quality, which is drawn
    std::vector<Chosen> chosen_;
};

}  // namespace sluice::transforms
