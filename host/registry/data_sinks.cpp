#include "registry/data_sinks.hpp"

#include <fmt/format.h>

namespace sluice::registry {
namespace {

constexpr std::size_t kMostFields = 64;  // as many as a mask has bits

// What a role says of a field's type and rank (kind/source.h); roles of a newer ABI are plain tensors.
bool fits_role(const Field& field) {
    const auto is = [&](sluice_dtype dtype, std::int32_t rank) {
        return field.spec.dtype == dtype && field.spec.rank == rank;
    };
    switch (field.role) {
        case SLUICE_FIELD_IMAGE:
            return is(kUint8, 3);
        case SLUICE_FIELD_ENCODED:
            return is(kUint8, 1);
        case SLUICE_FIELD_CLASS:
            return is(kInt64, 0);
        case SLUICE_FIELD_LABEL_MAP:
            return is(kUint8, 2);
        default:
            return true;
    }
}

}  // namespace

void FieldCollector::add(const sluice_field& field) {
    Field copy{copy_name(component_, field.name, "field", fields), field.role, field.spec};
    if (copy.role < SLUICE_FIELD_TENSOR || copy.role > SLUICE_FIELD_LABEL_MAP) {
        copy.role = SLUICE_FIELD_TENSOR;
    }
    check_spec(component_, copy.spec, Extents::maybe_unknown, fmt::format("field '{}'", copy.name));
    check_reserved(component_, field.reserved_flags, fmt::format("field '{}'", copy.name));
    for (const std::uint64_t reserved : field.reserved) {
        check_reserved(component_, static_cast<std::int64_t>(reserved), fmt::format("field '{}'", copy.name));
    }
    if (!fits_role(copy)) {
        misbehaves(component_, fmt::format("field '{}' is {}, which does not fit its role {}", copy.name,
                                           to_string(copy.spec), copy.role));
    }
    if (fields.size() == kMostFields) {
        misbehaves(component_, fmt::format("it has more than {} fields", kMostFields));
    }
    fields.push_back(std::move(copy));
}

void* SampleRelay::allocate(std::uint32_t field, const sluice_tensor_spec& spec) {
    if (field >= fields_.size()) {
        misbehaves(component_, fmt::format("it writes field number {}; it announced {}", field, fields_.size()));
    }
    const Field& announced = fields_[field];
    if (!is_instance(spec, announced.spec)) {
        check_spec(component_, spec, Extents::maybe_unknown, fmt::format("field '{}' of a sample", announced.name));
        misbehaves(component_, fmt::format("it writes {} to field '{}', which it announced as {}", to_string(spec),
                                           announced.name, to_string(announced.spec)));
    }
    written_ |= std::uint64_t{1} << field;
    return writer_.allocate(field, spec);
}

void SampleRelay::check_complete() const {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        if ((written_ >> i & 1) == 0) {
            misbehaves(component_, fmt::format("it left out field '{}' of a sample", fields_[i].name));
        }
    }
}

}  // namespace sluice::registry
