// Transform `pad`: adds borders around every chosen picture.
#pragma once

#include <memory>
#include <vector>

#include "sample/field_choice.hpp"
#include "sample/picture.hpp"

namespace sluice::transforms {

class Pad : public sdk::Transform {
public:
    Pad(sdk::Host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    [[nodiscard]] std::unique_ptr<sdk::WorkerContext> make_context() const override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;

private:
    enum class Mode : std::uint8_t { constant, edge, reflect };

    // In pixels.
    struct Borders {
        std::int64_t top = 0;
        std::int64_t bottom = 0;
        std::int64_t left = 0;
        std::int64_t right = 0;
    };
    [[nodiscard]] Borders borders_of(Extent picture) const;
    // Sets `of[i]` to the source pixel of pixel i along an axis with borders; -1: none. `before`: width of the first
    // border; `source`: pixels of the picture along the axis.
    void find_sources(std::int64_t before, std::int64_t source, std::vector<std::int64_t>& of) const;

    FieldChoice choice_;
    Mode mode_;
    std::uint8_t value_;
    std::uint8_t label_value_;
    Borders borders_;
    Extent at_least_;  // used instead of borders_ unless it is 0 x 0
    std::vector<Chosen> chosen_;
};

}  // namespace sluice::transforms
