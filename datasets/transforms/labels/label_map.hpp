// Transform `label_map`: replaces class numbers by a table, in class numbers and in label maps.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "sample/field_choice.hpp"

namespace sluice::transforms {

class LabelMap : public sdk::Transform {
public:
    LabelMap(sdk::Host, const sdk::Options& options);
    void describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) override;
    void apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const sdk::SampleSink& sink) const override;

private:
    // std::nullopt if the table has no number for `old` and there is no option 'ignore'.
    [[nodiscard]] std::optional<std::int64_t> new_number(std::int64_t old) const;
    [[noreturn]] void unknown(const Chosen& field, std::int64_t number) const;
    void map_bytes(const Chosen& field, const sluice_tensor& from, std::uint8_t* to) const;

    FieldChoice choice_;
    std::vector<std::int64_t> table_;  // old number -> new number; -1: ignored
    std::optional<std::int64_t> ignore_;
    std::array<std::int16_t, 256> bytes_ = {};  // byte of a label map -> new number; -1: unknown
    std::vector<Chosen> chosen_;
};

}  // namespace sluice::transforms
