// Transform `motion_blur`: writes a copy of an image that is blurred along a line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "blur/sparse_convolution.hpp"
#include "sample/field_choice.hpp"
#include "sample/range.hpp"

namespace sluice::transforms {

class MotionBlur : public sdk::Transform {
public:
    MotionBlur(sdk::Host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    [[nodiscard]] std::unique_ptr<sdk::WorkerContext> make_context() const override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;

private:
    std::string from_;
    std::string to_;
    Range length_;            // pixels
    Range angle_;             // degrees
    std::vector<Tap> fixed_;  // the kernel if length and angle are fixed; else empty
    std::uint32_t source_ = 0;
};

}  // namespace sluice::transforms
