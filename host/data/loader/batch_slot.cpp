#include "data/loader/batch_slot.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"

namespace sluice::data {
namespace {

// [count, ...]: the sample's shape with a leading batch dimension.
sluice_tensor_spec batch_spec(std::int64_t count, const sluice_tensor_spec& sample) {
    sluice_tensor_spec spec{};
    spec.dtype = sample.dtype;
    spec.rank = sample.rank + 1;
    spec.shape[0] = count;
    std::ranges::copy(shape_of(sample), spec.shape + 1);
    return spec;
}

bool is_known(const sluice_tensor_spec& spec) {
    return std::ranges::all_of(shape_of(spec), [](std::int64_t extent) { return extent >= 0; });
}

}  // namespace

BatchSlot::BatchSlot(const std::vector<std::size_t>& fields, std::span<const registry::Field> announced,
                     std::int64_t whole)
    : fields_(fields), sample_fields_(announced.size()), whole_count_(whole), arrived_(fields, announced) {
    for (const std::size_t number : fields_) {
        const registry::Field& field = announced[number];
        announced_.push_back(field.spec);
        batch_.fields.push_back({.name = field.name, .role = field.role, .tensor = {}});
    }
}

void BatchSlot::open(std::uint64_t epoch, std::uint64_t number, std::int64_t count, const SampleRange& own) {
    batch_.epoch = epoch;
    batch_.number = number;
    batch_.count = count;
    batch_.made = own;
    replaced_.clear();
    batch_.left_out.clear();
    missing_ = own.end - own.begin;
    whole_ = false;
    shaped_ = false;
    mixed_ = false;
    failure_.clear();
    batch_.names.resize(static_cast<std::size_t>(count));
    for (std::string& name : batch_.names) {
        name.clear();
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        if (is_known(announced_[i])) {
            shape(i, announced_[i]);
        }
    }
    arrived_.open(count);
}

std::uint8_t* BatchSlot::place_of(std::size_t field, std::int64_t position) {
    std::vector<std::uint8_t>& bytes = batch_.fields[field].tensor.bytes;
    return bytes.data() + bytes.size() / static_cast<std::size_t>(batch_.count) * static_cast<std::size_t>(position);
}

void BatchSlot::find_places(std::int64_t position, std::vector<std::uint8_t*>& places) {
    places.assign(sample_fields_, nullptr);
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        places[fields_[i]] = is_known(announced_[i]) ? place_of(i, position) : nullptr;
    }
}

// Bytes of a field's buffer after shape(). The buffer is reused unless most of it would be unused.
std::uint64_t BatchSlot::held_by(std::size_t field, std::int64_t count, const sluice_tensor_spec& sample) const {
    constexpr std::uint64_t kMuch = 2;  // a larger buffer than this many whole batches is not reused
    const std::uint64_t needed = byte_count(batch_spec(count, sample));
    const std::uint64_t kept = batch_.fields[field].tensor.bytes.capacity();
    const bool is_kept = kept >= needed && kept <= kMuch * byte_count(batch_spec(whole_count_, sample));
    return is_kept ? kept : needed;
}

void BatchSlot::shape(std::size_t field, const sluice_tensor_spec& sample) {
    HostTensor& tensor = batch_.fields[field].tensor;
    if (held_by(field, batch_.count, sample) != tensor.bytes.capacity()) {
        std::vector<std::uint8_t>().swap(tensor.bytes);  // free the old buffer before the new one is allocated
    }
    tensor.spec = batch_spec(batch_.count, sample);
    tensor.bytes.resize(byte_count(tensor.spec));
}

std::uint64_t BatchSlot::held() const {
    std::uint64_t bytes = 0;
    for (const NamedTensor& field : batch_.fields) {
        bytes += field.tensor.bytes.capacity();
    }
    return bytes;
}

std::uint64_t BatchSlot::held_after_open(std::int64_t count) const {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        bytes += is_known(announced_[i]) ? held_by(i, count, announced_[i]) : batch_.fields[i].tensor.bytes.capacity();
    }
    return bytes;
}

std::uint64_t BatchSlot::held_after_shape(const Sample& sample) const {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const bool is_known_before = is_known(announced_[i]);
        bytes += is_known_before ? batch_.fields[i].tensor.bytes.capacity()
                                 : held_by(i, batch_.count, sample.fields[fields_[i]].tensor.spec);
    }
    return bytes;
}

void BatchSlot::release() {
    for (NamedTensor& field : batch_.fields) {
        std::vector<std::uint8_t>().swap(field.tensor.bytes);
    }
}

void BatchSlot::take_shape(const Sample& sample) {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        if (!is_known(announced_[i])) {
            shape(i, sample.fields[fields_[i]].tensor.spec);
        }
    }
    shaped_ = true;
}

bool BatchSlot::has_shape_of(const Sample& sample) const {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const sluice_tensor_spec& spec = sample.fields[fields_[i]].tensor.spec;
        if (!(batch_spec(batch_.count, spec) == batch_.fields[i].tensor.spec)) {
            return false;
        }
    }
    return true;
}

void BatchSlot::put(std::int64_t position, std::uint64_t index, const Sample& sample) {
    arrived_.set(position, index, sample);
    batch_.names[static_cast<std::size_t>(position)] = sample.name;
    if (!has_shape_of(sample)) {
        mixed_ = true;
        return;
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const std::span<const std::uint8_t> bytes = sample.fields[fields_[i]].tensor.bytes;
        if (std::uint8_t* const to = place_of(i, position); to != bytes.data()) {
            std::ranges::copy(bytes, to);
        }
    }
}

void BatchSlot::LowestFailure::add(std::int64_t position, std::exception_ptr failure) {
    if (failure_ == nullptr || position < position_) {
        failure_ = std::move(failure);
        position_ = position;
    }
}

void BatchSlot::leave_out(BadSample sample) {
    arrived_.set_bad(sample.position, sample.index);
    batch_.left_out.push_back(std::move(sample));
}

void BatchSlot::close() {
    std::ranges::sort(batch_.left_out, {}, &BadSample::position);
    whole_ = true;
}

const Batch& BatchSlot::result(const std::string& purpose) const {
    if (failure_.is_there()) {
        failure_.rethrow();
    }
    if (mixed_) {
        throw Error(
            Exit::data,
            purpose + ": batch " + std::to_string(batch_.number) + ", " + arrived_.difference(batch_) +
                "; samples of one batch must have one shape: put random_crop, center_crop or resize into the map, or "
                "set batch = 1");
    }
    return batch_;
}

std::uint64_t BatchSlot::bytes() const {
    std::uint64_t bytes = 0;
    for (const NamedTensor& field : batch_.fields) {
        bytes += byte_count(field.tensor.spec);
    }
    return bytes;
}

}  // namespace sluice::data
