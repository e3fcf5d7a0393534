// Transform `jpeg_restart`: adds restart markers to JPEG files, so that a window can be decoded without the rest.
#pragma once

#include <vector>

#include "sample/field_choice.hpp"
#include "sluice/sdk/data.hpp"

namespace sluice::transforms {

class JpegRestart : public sdk::Transform {
public:
    JpegRestart(sdk::Host, const sdk::Options& options) : choice_(options) {}
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;

private:
    FieldChoice choice_;
    std::vector<Chosen> chosen_;
};

}  // namespace sluice::transforms
