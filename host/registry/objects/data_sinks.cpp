#include "registry/objects/data_sinks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/control.hpp"

namespace sluice::registry {
namespace {

constexpr std::uint64_t kLongestName = 4096;
constexpr std::size_t kMostFields = 64;  // bits of SampleRelay::written_

// True if a field's type and rank fit its role (kind/source.h). Roles of a newer ABI count as plain tensors.
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

// Checks the size in bytes; unknown extents (-1) count as 1.
void check_size(const Component& component, const sluice_tensor_spec& spec, const std::string& name) {
    std::uint64_t bytes = spec.dtype.bits / 8U;
    for (const std::int64_t extent : shape_of(spec)) {
        bytes *= static_cast<std::uint64_t>(std::max<std::int64_t>(extent, 1));
    }
    if (bytes > kMostBytes) {
        check_bytes(component, bytes, fmt::format("field '{}' of {}", name, to_string(spec)));
    }
}

}  // namespace

void FieldCollector::add(const sluice_field& field) {
    Field copy{copy_name(component_, field.name, "field", fields), field.role, field.spec};
    if (copy.role < SLUICE_FIELD_TENSOR || copy.role > SLUICE_FIELD_LABEL_MAP) {
        copy.role = SLUICE_FIELD_TENSOR;
    }
    check_spec(component_, copy.spec, Extents::maybe_unknown, fmt::format("field '{}'", copy.name));
    check_size(component_, copy.spec, copy.name);
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
        misbehaves(component_,
                   fmt::format("it writes field number {}, but announced {} fields", field, fields_.size()));
    }
    const Field& announced = fields_[field];
    if (!is_instance(spec, announced.spec)) {
        check_spec(component_, spec, Extents::maybe_unknown, fmt::format("field '{}' of a sample", announced.name));
        misbehaves(component_, fmt::format("it writes {} to field '{}', which it announced as {}", to_string(spec),
                                           announced.name, to_string(announced.spec)));
    }
    written_ |= std::uint64_t{1} << field;
    check_size(component_, spec, announced.name);
    return writer_.allocate(field, spec);
}

void SampleRelay::name(sluice_text name) {
    const std::string_view text(name.ptr, name.len);
    if (name.ptr != nullptr && name.len <= kLongestName && is_plain(text)) {
        writer_.set_name(text);
    } else {
        writer_.set_name(copy_text(component_, name, "name of a sample"));
    }
}

void SampleRelay::check_complete() const {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        if ((written_ >> i & 1) == 0) {
            misbehaves(component_, fmt::format("it left out field '{}' of a sample", fields_[i].name));
        }
    }
}

}  // namespace sluice::registry
