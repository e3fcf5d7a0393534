#include "data/chain/sample_slots.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text/byte_size.hpp"

namespace sluice::data {

SampleSlots::SampleSlots(std::span<const registry::Field> fields, SampleMemory::Share& memory)
    : fields_(fields),
      memory_(memory),
      buffers_(fields.size()),
      places_(fields.size()),
      tensors_(fields.size()),
      strides_(fields.size()) {}

std::uint8_t* SampleSlots::write(SlotNumber slot, const sluice_tensor_spec& spec) {
    const std::uint64_t bytes = byte_count(spec);
    std::uint8_t* to = places_[slot];
    if (to == nullptr) {
        if (!memory_.need(bytes)) {
            throw_too_large(slot, spec);
        }
        memory_.make_room(buffers_[slot], bytes);
        to = buffers_[slot].data();
    }
    tensors_[slot] = {spec, {to, bytes}};
    return to;
}

void SampleSlots::check_extent(SlotNumber slot, const sluice_extent& extent) const {
    sluice_tensor_spec whole = fields_[slot].spec;
    whole.shape[0] = extent.height;
    whole.shape[1] = extent.width;
    if (byte_count(whole) > memory_.most()) {
        throw_too_large(slot, whole);
    }
}

void SampleSlots::throw_too_large(SlotNumber slot, const sluice_tensor_spec& spec) const {
    const std::uint64_t bytes = byte_count(spec);
    throw Error(Exit::data, fmt::format("field '{}' would be {}, of {}, and making its sample would take {} in all; "
                                        "data.memory leaves {} for it",
                                        fields_[slot].name, to_string(spec), format_size(bytes),
                                        format_size(memory_.needed() + bytes), format_size(memory_.most())));
}

void SampleSlots::release() {
    for (std::vector<std::uint8_t>& buffer : buffers_) {
        std::vector<std::uint8_t>().swap(buffer);
    }
}

std::uint64_t SampleSlots::bytes(std::span<const SlotNumber> slots) const {
    std::uint64_t sum = 0;
    for (const SlotNumber slot : slots) {
        sum += tensors_[slot].bytes.size();
    }
    return sum;
}

std::span<const TensorView> SampleSlots::select(std::span<const SlotNumber> slots) {
    selected_.clear();
    for (const SlotNumber slot : slots) {
        selected_.push_back(tensors_[slot]);
    }
    return selected_;
}

std::span<const sluice_tensor> SampleSlots::select_for_plugin(std::span<const SlotNumber> slots) {
    selected_for_plugin_.clear();
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const TensorView& tensor = tensors_[slots[i]];
        selected_for_plugin_.push_back(plugin_view(tensor.spec, tensor.bytes.data(), strides_[i]));
    }
    return selected_for_plugin_;
}

}  // namespace sluice::data
