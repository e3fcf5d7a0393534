#include "conv/image_by_image.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace sluice::onednn {
namespace {

constexpr std::uint64_t kLargeCopy = 2U << 20U;  // bytes of one image; a smaller one is too little work at a time

class ImageByImage : public ConvPass {
public:
    // pass: for a batch of one image.
    ImageByImage(const ConvGeometry& geometry, std::unique_ptr<ConvPass> pass)
        : ConvPass(pass->computed(), static_cast<double>(geometry.batch) * pass->flops()),
          batch_(geometry.batch),
          input_bytes_(geometry.input_count() / batch_ * size_of(geometry.input)),
          output_bytes_(geometry.output_count() / batch_ * size_of(geometry.output)),
          pass_(std::move(pass)) {}
    [[nodiscard]] std::uint64_t workspace() const override { return pass_->workspace(); }
    [[nodiscard]] std::string name() const override { return pass_->name(); }
    void run(const sluice_launch& launch) override {
        for (std::int64_t image = 0; image < batch_; ++image) {
            const void* input = sdk::input<std::byte>(launch, 0) + image * input_bytes_;
            const void* output_gradient = sdk::output_gradient<std::byte>(launch, 0) + image * output_bytes_;
            auto* const gradient = sdk::input_gradient<std::byte>(launch, 0);
            void* input_gradient = gradient == nullptr ? nullptr : gradient + image * input_bytes_;
            sluice_launch part = launch;
            part.inputs = &input;
            part.output_gradients = &output_gradient;
            part.input_gradients = &input_gradient;
            part.accumulate_parameters = image > 0 ? 1 : launch.accumulate_parameters;
            pass_->run(part);
        }
    }

private:
    std::int64_t batch_;
    std::int64_t input_bytes_;   // of one image
    std::int64_t output_bytes_;  // likewise
    std::unique_ptr<ConvPass> pass_;
};

}  // namespace

std::unique_ptr<ConvPass> image_by_image(const ConvGeometry& geometry,
                                         const std::function<std::unique_ptr<ConvPass>(const ConvGeometry&)>& make) {
    ConvGeometry one = geometry;
    one.batch = 1;
    if (!geometry.copies_source() || geometry.batch == 1 || one.source_bytes() < kLargeCopy) {
        return make(geometry);
    }
    return std::make_unique<ImageByImage>(geometry, make(one));
}

}  // namespace sluice::onednn
