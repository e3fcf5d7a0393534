// Transform `decode`: decodes JPEG and PNG files to images of uint8 or float32, and PNG files to label maps.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sample/field_choice.hpp"
#include "sample/picture.hpp"
#include "sluice/sdk/window.hpp"

namespace sluice::transforms {

struct Opened;  // a file whose header was read

class Decode : public sdk::Transform, public sdk::WindowMaker {
public:
    Decode(sdk::Host host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    [[nodiscard]] std::unique_ptr<sdk::WorkerContext> make_context() const override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;
    void extents(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                 std::span<sluice_extent> extents) const override;
    void apply_windows(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                       std::span<const sluice_window> windows, const sluice_random_key& key,
                       const sdk::SampleSink& sink) const override;

private:
    template <class Action>
    void for_fields(const Action& action) const;
    [[nodiscard]] std::vector<Opened>& open_all(sdk::WorkerContext& context,
                                                std::span<const sluice_tensor> fields) const;

    sdk::Host host_;
    FieldChoice choice_;
    std::vector<std::string> label_maps_;
    std::int32_t image_role_;
    std::vector<Chosen> chosen_;  // with their roles after decoding
};

}  // namespace sluice::transforms
