// Source `synthetic`: noise in the shape of a data set. Each field of a sample is a pure function of the run's seed,
// the sample's index and the field's number.
#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "sluice/sdk/plugin.hpp"

namespace sluice::synthetic {
namespace {

// Part of the random keys. It must never change, because the samples would change.
constexpr std::uint64_t kSynthetic = 0x73796e74;

sdk::Draws draws_of(std::uint64_t seed, std::uint64_t index, std::size_t field) {
    return sdk::Draws({seed, kSynthetic * 65536 + field, index});
}

void fill(sdk::Draws draws, std::uint8_t* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; i += sizeof(std::uint32_t)) {
        const std::uint32_t word = draws.word();
        std::memcpy(bytes + i, &word, std::min(sizeof(word), count - i));
    }
}

class Synthetic : public sdk::Source, public sdk::Identity {
public:
    Synthetic(sdk::Host, const sdk::Options& options)
        : count_(static_cast<std::uint64_t>(options.integer("count"))),
          images_(options.strings("images")),
          shape_(sdk::make_spec(sdk::kUint8, {options.integers("size").at(0), options.integers("size").at(1),
                                              options.integer("channels")})),
          classes_(options.maybe_integer("classes")) {
        std::set<std::string> names(images_.begin(), images_.end());
        if (names.size() != images_.size() || (classes_ && names.count("label") > 0)) {
            throw sdk::Failure(SLUICE_INVALID,
                               "two fields have the same name; the names in 'images' have to differ from each other "
                               "and, with 'classes', from 'label'");
        }
    }

    void describe(const sdk::FieldSink& sink) const override {
        for (const std::string& image : images_) {
            sink.field(image, SLUICE_FIELD_IMAGE, shape_);
        }
        if (classes_) {
            sink.field("label", SLUICE_FIELD_CLASS, sdk::make_spec(sdk::kInt64, {}));
        }
        sink.length(count_);
    }

    void read(sdk::WorkerContext&, std::uint64_t index, std::uint64_t seed,
              const sdk::SampleSink& sink) const override {
        if (index >= count_) {
            throw sdk::Failure(SLUICE_INVALID, "there is no sample " + std::to_string(index) + ", only " +
                                                   std::to_string(count_) + " of them");
        }
        sink.name("synthetic/" + std::to_string(index));
        const auto bytes = static_cast<std::size_t>(shape_.shape[0] * shape_.shape[1] * shape_.shape[2]);
        for (std::size_t field = 0; field < images_.size(); ++field) {
            fill(draws_of(seed, index, field), sink.allocate(static_cast<std::uint32_t>(field), shape_), bytes);
        }
        if (classes_) {
            const std::size_t field = images_.size();
            *sink.allocate<std::int64_t>(static_cast<std::uint32_t>(field), sdk::make_spec(sdk::kInt64, {})) =
                draws_of(seed, index, field).below(*classes_);
        }
    }

private:
    std::uint64_t count_;
    std::vector<std::string> images_;
    sluice_tensor_spec shape_;  // of each image
    std::optional<std::int64_t> classes_;
};

constexpr sluice_component kComponents[] = {sdk::component<Synthetic>("sluice.source.synthetic")};

}  // namespace
}  // namespace sluice::synthetic

SLUICE_DEFINE_PLUGIN(sluice::synthetic::kComponents)
