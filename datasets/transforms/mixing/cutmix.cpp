#include "mixing/cutmix.hpp"

#include <algorithm>
#include <cmath>

#include "sample/common_extent.hpp"

namespace sluice::transforms {
namespace {

// The picture of one sample of a field, at `bytes`.
Picture picture_in(const sluice_tensor& field, const std::uint8_t* bytes) {
    return {bytes, {field.shape[1], field.shape[2]}, field.rank == 4 ? field.shape[3] : 1, field.dtype.bits / 8};
}

}  // namespace

Cutmix::Cutmix(sdk::Host, const sdk::Options& options) : choice_(options), alpha_(options.number("alpha")) {}

void Cutmix::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.mixed(fields, true);
    // Pictures come first: the box is cut from them.
    const auto labels = std::stable_partition(chosen_.begin(), chosen_.end(), is_picture);
    pictures_ = static_cast<std::size_t>(labels - chosen_.begin());
    for (const Chosen& field : chosen_) {
        sink.field(field.name, field.role, field.spec);
    }
}

std::unique_ptr<sdk::WorkerContext> Cutmix::make_context() const { return std::make_unique<Partners>(); }

// The centre of the box is any pixel, and the box is clipped to the picture.
Window Cutmix::draw_box(Extent picture, sdk::Draws& draws) const {
    const double ratio = std::sqrt(1.0 - draw_share(alpha_, draws));
    const auto cut = [&](std::int64_t whole) {
        const auto length = static_cast<std::int64_t>(static_cast<double>(whole) * ratio);
        const std::int64_t begin = draws.below(whole) - length / 2;
        const std::int64_t inside = std::max<std::int64_t>(begin, 0);
        return std::pair(inside, std::min(begin + length, whole) - inside);
    };
    const auto [top, height] = cut(picture.height);
    const auto [left, width] = cut(picture.width);
    return {top, left, {height, width}};
}

void Cutmix::apply_batch(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                         const sluice_random_key& key) const {
    auto& partners = static_cast<Partners&>(context);
    const std::span<const Chosen> chosen(chosen_);
    const Extent extent = common_extent(chosen.first(pictures_), "cut",
                                        [&](std::uint32_t index) { return picture_in(fields[index], nullptr).extent; });
    sdk::Draws draws(key);
    const Window box = draw_box(extent, draws);
    partners.draw(fields[chosen.front().index].shape[0], draws);
    for (const Chosen& field : chosen.first(pictures_)) {
        partners.mix(rows_of(fields[field.index]), [&](std::uint8_t* to, const std::uint8_t* from) {
            paste_window(picture_in(fields[field.index], from), box, to);
        });
    }
    const auto area = static_cast<double>(box.extent.height * box.extent.width);
    const auto share = static_cast<float>(1.0 - area / static_cast<double>(extent.height * extent.width));
    for (const Chosen& field : chosen.subspan(pictures_)) {
        partners.blend_rows(rows_of(fields[field.index]), share);
    }
}

}  // namespace sluice::transforms
