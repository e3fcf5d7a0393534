#include "data/loader/label_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "data/chain/bad_samples.hpp"

namespace sluice::data {
namespace {

struct Stray {
    std::int64_t label;
    std::size_t at;
};

template <class T>
std::optional<Stray> find_stray(std::span<const T> labels, const registry::LabelRange& range) {
    const auto takes = [&](T label) { return range.takes(static_cast<std::int64_t>(label)); };
    // This loop has no early exit, so that the compiler can vectorize the common case without a stray label.
    std::size_t taken = 0;
    for (const T label : labels) {
        taken += takes(label) ? 1 : 0;
    }
    if (taken == labels.size()) {
        return std::nullopt;
    }
    const auto at = std::ranges::find_if_not(labels, takes);
    return Stray{static_cast<std::int64_t>(*at), static_cast<std::size_t>(at - labels.begin())};
}

std::optional<Stray> find_stray(const TensorView& tensor, const registry::LabelRange& range) {
    if (tensor.spec.dtype == kUint8) {
        return find_stray(tensor.as<std::uint8_t>(), range);
    }
    if (tensor.spec.dtype == kInt32) {
        return find_stray(tensor.as<std::int32_t>(), range);
    }
    if (tensor.spec.dtype == kInt64) {
        return find_stray(tensor.as<std::int64_t>(), range);
    }
    throw Error(Exit::plugin, "class numbers must be uint8, int32 or int64; these are " + to_string(tensor.spec.dtype));
}

// " at [3, 4]"; empty for a scalar.
std::string at_text(const sluice_tensor_spec& spec, std::size_t index) {
    return spec.rank == 0 ? "" : " at " + place_text(spec, index);
}

}  // namespace

void check_labels(const std::vector<registry::LabelReader>& readers, const Sample& sample, const Chain& chain,
                  std::uint64_t index) {
    for (const registry::LabelReader& reader : readers) {
        const auto field = std::ranges::find(sample.fields, reader.field, &SampleField::name);
        if (field == sample.fields.end()) {
            continue;
        }
        if (const auto stray = find_stray(field->tensor, reader.range)) {
            const std::span<const std::string> names = names_of(chain.class_names(), reader.field);
            throw SampleError(
                Exit::data, chain.purpose(), index, sample.name,
                fmt::format("field '{}' is {}{}; {} takes {}", reader.field, named(names, stray->label),
                            at_text(field->tensor.spec, stray->at), reader.name, to_string(reader.range, names)));
        }
    }
}

}  // namespace sluice::data
