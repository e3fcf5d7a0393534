#include "geometry/rotate90.hpp"

#include <algorithm>
#include <array>

#include "codec/orientation.hpp"
#include "sample/picture.hpp"

namespace sluice::transforms {
namespace {

// Indexed by the number of counter-clockwise quarter turns.
constexpr std::array kTurns = {Orientation::upright, Orientation::three_quarter_turn, Orientation::half_turn,
                               Orientation::quarter_turn};

bool is_odd(std::int64_t turns) { return turns % 2 == 1; }

}  // namespace

Rotate90::Rotate90(sdk::Host host, const sdk::Options& options)
    : choice_(options, RandomMover{host, "rotate90"}), turns_(options.integers("turns")) {
    if (turns_.empty()) {
        throw sdk::Failure(SLUICE_INVALID, "option 'turns' is empty; at least one of 0, 1, 2 and 3 is needed");
    }
}

// If only some of the turns swap height and width, the resulting size is known only for square pictures.
void Rotate90::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.pictures(fields);
    const auto odd = std::ranges::count_if(turns_, is_odd);
    for (const Chosen& field : chosen_) {
        sluice_tensor_spec spec = field.spec;
        if (odd == std::ssize(turns_)) {
            std::swap(spec.shape[0], spec.shape[1]);
        } else if (odd > 0 && spec.shape[0] != spec.shape[1]) {
            spec.shape[0] = -1;
            spec.shape[1] = -1;
        }
        sink.field(field.name, field.role, spec);
    }
}

void Rotate90::apply(sdk::WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key& key,
                     const sdk::SampleSink& sink) const {
    const auto drawn = static_cast<std::size_t>(sdk::Draws(key).below(std::ssize(turns_)));
    const Orientation orientation = kTurns.at(static_cast<std::size_t>(turns_[drawn]));
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        const Picture picture = picture_of(field);
        turn(picture, orientation, sink.allocate(i, spec_like(field, turned_extent(picture.extent, orientation))));
    }
}

}  // namespace sluice::transforms
