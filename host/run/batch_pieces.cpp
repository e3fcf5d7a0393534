#include "run/batch_pieces.hpp"

namespace sluice::run {

const data::Batch& Pieces::operator[](std::int64_t number) {
    if (count_ == 1) {
        return batch_;
    }
    const auto copy_part = [&](const auto& from, auto& to) {
        const auto size = static_cast<std::ptrdiff_t>(from.size()) / count_;
        to.assign(from.begin() + number * size, from.begin() + (number + 1) * size);
    };
    piece_.epoch = batch_.epoch;
    piece_.number = batch_.number;
    piece_.count = batch_.count / count_;
    piece_.fields.resize(batch_.fields.size());
    for (std::size_t i = 0; i < batch_.fields.size(); ++i) {
        const data::NamedTensor& whole = batch_.fields[i];
        data::NamedTensor& part = piece_.fields[i];
        part.name = whole.name;
        part.role = whole.role;
        part.tensor.spec = whole.tensor.spec;
        part.tensor.spec.shape[0] /= count_;
        copy_part(whole.tensor.bytes, part.tensor.bytes);
    }
    copy_part(batch_.names, piece_.names);
    return piece_;
}

}  // namespace sluice::run
