// The data source `example`: grey pictures of vertical (class 0) or horizontal (class 1) stripes.
#include "sluice/sdk/plugin.hpp"

namespace {

namespace sdk = sluice::sdk;

class ExampleSource : public sdk::Source {
public:
    // A source of files would find them here, and check all that it can without reading samples.
    ExampleSource(sdk::Host, const sdk::Options& options)
        : count_(static_cast<std::uint64_t>(options.integer("count"))),
          size_(options.integer("size")),
          noise_(options.number("noise")) {}

    void describe(const sdk::FieldSink& sink) const override {
        sink.field("image", SLUICE_FIELD_IMAGE, image());
        sink.field("label", SLUICE_FIELD_CLASS, label());
        sink.length(count_);
    }

    // Returns the same bytes on any thread and in any order: each random number depends on the seed and the index.
    void read(sdk::WorkerContext&, std::uint64_t index, std::uint64_t seed,
              const sdk::SampleSink& sink) const override {
        if (index >= count_) {
            throw sdk::Failure(SLUICE_INVALID, "sample " + std::to_string(index) + " of " + std::to_string(count_));
        }
        const bool is_level = index % 2 == 1;
        *sink.allocate<std::int64_t>(1, label()) = is_level ? 1 : 0;
        sdk::Draws draws({seed, kStream, index});
        std::uint8_t* pixel = sink.allocate(0, image());
        for (std::int64_t y = 0; y < size_; ++y) {
            for (std::int64_t x = 0; x < size_; ++x) {
                const double stripe = (is_level ? y : x) / 2 % 2 == 0 ? 0.0 : 255.0;
                *pixel++ = static_cast<std::uint8_t>((1.0 - noise_) * stripe + noise_ * 255.0 * draws.uniform());
            }
        }
    }

private:
    static constexpr std::uint64_t kStream = 0x6578616d;  // any number that no other source uses

    [[nodiscard]] sluice_tensor_spec image() const { return sdk::make_spec(sdk::kUint8, {size_, size_, 1}); }
    [[nodiscard]] static sluice_tensor_spec label() { return sdk::make_spec(sdk::kInt64, {}); }

    std::uint64_t count_;
    std::int64_t size_;
    double noise_;
};

constexpr sluice_component kComponents[] = {sdk::component<ExampleSource>("com.acme.source.example")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
