#include "registry/objects/precision.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "registry/loading/reported_values.hpp"
#include "sluice/kind/layer.h"

namespace sluice::registry {
namespace {

// Returns what is wrong with the loss scale of the traits; empty if it is valid.
std::string loss_scale_problem(const sluice_precision_traits& traits) {
    if (traits.loss_scale == SLUICE_LOSS_SCALE_NONE) {
        return "";
    }
    if (traits.loss_scale != SLUICE_LOSS_SCALE_STATIC && traits.loss_scale != SLUICE_LOSS_SCALE_DYNAMIC) {
        return fmt::format("its kind is {}; 0 to 2 is right", traits.loss_scale);
    }
    if (!(traits.scale > 0.0 && std::isfinite(traits.scale)) || traits.most_skips < 1) {
        return fmt::format("it begins at {} and gives up after {} skipped steps; both must be above 0", traits.scale,
                           traits.most_skips);
    }
    if (traits.loss_scale == SLUICE_LOSS_SCALE_STATIC) {
        return "";
    }
    if (traits.growth_interval < 1 || !(traits.growth > 1.0) || !(traits.backoff > 0.0 && traits.backoff < 1.0)) {
        return fmt::format(
            "it is multiplied by {} after {} steps and by {} after an overflow; the first factor must be above 1, the "
            "steps at least 1 and the second factor between 0 and 1",
            traits.growth, traits.growth_interval, traits.backoff);
    }
    if (!(traits.floor > 0.0 && traits.floor <= traits.scale && traits.scale <= traits.ceiling &&
          std::isfinite(traits.ceiling))) {
        return fmt::format("it begins at {}, which must lie between {} and {}, both finite and above 0", traits.scale,
                           traits.floor, traits.ceiling);
    }
    return "";
}

}  // namespace

Precision::Precision(const Component& component, const Table& options, const Origin& origin)
    : object_(make_object<sluice_precision>(component, options, place_of(component, origin))) {
    traits_.struct_size = sizeof(traits_);
    call(component, place_of(component, origin), object_.table()->traits, object_.self(), &traits_);
    check_reserved(component, traits_.reserved, "its traits");
    if (const std::string wrong = loss_scale_problem(traits_); !wrong.empty()) {
        misbehaves(component, "its loss scale is invalid: " + wrong);
    }
}

sluice_precision_choice Precision::choose(std::string_view type, std::string_view path, std::int32_t colour) const {
    const Component& component = object_.component();
    const sluice_precision_query query{
        sizeof(query), {type.data(), type.size()}, {path.data(), path.size()}, colour, 0};
    sluice_precision_choice choice{};
    choice.struct_size = sizeof(choice);
    call(component, fmt::format("{}: layer '{}'", short_name(component), path), object_.table()->choose, object_.self(),
         &query, &choice);
    if (choice.colour < SLUICE_COLOUR_INFER || choice.colour > SLUICE_COLOUR_CLEAR) {
        misbehaves(component,
                   fmt::format("its choice for layer '{}' has autocast category (colour) {}; 0 to 3 is right", path,
                               choice.colour));
    }
    for (const sluice_dtype dtype : {choice.storage, choice.compute, choice.accumulate}) {
        if (!is_known(dtype) || !is_float(dtype)) {
            misbehaves(
                component,
                fmt::format(
                    "its choice for layer '{}' has an element type that is not floating point (code {}, {} bits)", path,
                    dtype.code, dtype.bits));
        }
    }
    return choice;
}

}  // namespace sluice::registry
