#include "run/upload/micro_batches.hpp"

namespace sluice::run {

void copy_samples(const data::Batch& from, std::int64_t begin, std::int64_t end, data::Batch& to) {
    const auto copy_part = [&](const auto& all, auto& part) {
        const auto size = static_cast<std::ptrdiff_t>(all.size()) / from.count;
        part.assign(all.begin() + begin * size, all.begin() + end * size);
    };
    to.epoch = from.epoch;
    to.number = from.number;
    to.count = end - begin;
    to.made = {0, to.count};
    to.fields.resize(from.fields.size());
    for (std::size_t i = 0; i < from.fields.size(); ++i) {
        const data::NamedTensor& whole = from.fields[i];
        data::NamedTensor& part = to.fields[i];
        part.name = whole.name;
        part.role = whole.role;
        part.tensor.spec = whole.tensor.spec;
        part.tensor.spec.shape[0] = to.count;
        copy_part(whole.tensor.bytes, part.tensor.bytes);
    }
    copy_part(from.names, to.names);
}

void remove_sample(data::Batch& batch, std::int64_t position) {
    const auto remove_part = [&](auto& all) {
        const auto size = static_cast<std::ptrdiff_t>(all.size()) / batch.count;
        all.erase(all.begin() + position * size, all.begin() + (position + 1) * size);
    };
    for (data::NamedTensor& field : batch.fields) {
        remove_part(field.tensor.bytes);
        --field.tensor.spec.shape[0];
    }
    remove_part(batch.names);
    --batch.count;
    batch.made = {0, batch.count};
}

const data::Batch& MicroBatches::operator[](std::int64_t number) {
    if (count_ == 1) {
        return batch_;
    }
    const std::int64_t size = batch_.count / count_;
    copy_samples(batch_, number * size, (number + 1) * size, micro_batch_);
    return micro_batch_;
}

}  // namespace sluice::run
