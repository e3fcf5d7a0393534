#include "labels/label_map.hpp"

#include <algorithm>

#include "labels/class_number.hpp"
#include "sample/picture.hpp"

namespace sluice::transforms {
namespace {

constexpr std::int64_t kGreatestByte = 255;

}  // namespace

LabelMap::LabelMap(sdk::Host, const sdk::Options& options)
    : choice_(options), table_(options.integers("to")), ignore_(options.maybe_integer("ignore")) {
    if (!ignore_ && std::ranges::find(table_, -1) != table_.end()) {
        throw sdk::Failure(SLUICE_INVALID,
                           "option 'to' has a -1, a class to ignore: option 'ignore', the number to write for it, is "
                           "needed");
    }
    for (std::size_t old = 0; old < bytes_.size(); ++old) {
        bytes_[old] = static_cast<std::int16_t>(new_number(static_cast<std::int64_t>(old)).value_or(-1));
    }
}

std::optional<std::int64_t> LabelMap::new_number(std::int64_t old) const {
    const bool is_known = old >= 0 && old < std::ssize(table_) && table_[static_cast<std::size_t>(old)] >= 0;
    return is_known ? std::optional(table_[static_cast<std::size_t>(old)]) : ignore_;
}

void LabelMap::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.classes(fields);
    for (const Chosen& field : chosen_) {
        const std::int64_t greatest = std::max(table_.empty() ? 0 : std::ranges::max(table_), ignore_.value_or(0));
        if (field.role == SLUICE_FIELD_LABEL_MAP && (greatest > kGreatestByte || ignore_.value_or(0) < 0)) {
            throw sdk::Failure(SLUICE_INVALID, "field '" + field.name +
                                                   "' is a label map, whose numbers are from 0 to 255, but 'to' or "
                                                   "'ignore' has another number");
        }
        sink.field(field.name, field.role, field.spec);
    }
}

void LabelMap::unknown(const Chosen& field, std::int64_t number) const {
    throw sdk::Failure(SLUICE_BAD_SAMPLE,
                       "'" + field.name + "' has class " + std::to_string(number) + ", but 'to' has numbers for 0 to " +
                           std::to_string(std::ssize(table_) - 1) + "; set 'ignore' to a number for all others");
}

void LabelMap::map_bytes(const Chosen& field, const sluice_tensor& from, std::uint8_t* to) const {
    const Picture picture = picture_of(from);
    for (std::int64_t i = 0; i < picture.extent.height * picture.extent.width; ++i) {
        const std::int16_t number = bytes_[picture.bytes[i]];
        if (number < 0) {
            unknown(field, picture.bytes[i]);
        }
        to[i] = static_cast<std::uint8_t>(number);
    }
}

void LabelMap::apply(sdk::WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key&,
                     const sdk::SampleSink& sink) const {
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const Chosen& chosen = chosen_[i];
        const sluice_tensor& field = fields[chosen.index];
        if (chosen.role == SLUICE_FIELD_LABEL_MAP) {
            map_bytes(chosen, field, sink.allocate(i, spec_like(field, picture_of(field).extent)));
            continue;
        }
        const std::int64_t number = class_number(field);
        const std::optional<std::int64_t> mapped = new_number(number);
        if (!mapped) {
            unknown(chosen, number);
        }
        *sink.allocate<std::int64_t>(i, sdk::make_spec(sdk::kInt64, {})) = *mapped;
    }
}

}  // namespace sluice::transforms
