#include "run/network/fitting_size.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "base/error.hpp"
#include "plan/graph.hpp"

namespace sluice::run {
namespace {

// Enough for seven strides of 2, and for the smallest picture that a network with wide padding takes.
constexpr std::int64_t kLargestMultiple = 128;

PictureSize rounded_up(PictureSize size, std::int64_t to) {
    return {(size.height + to - 1) / to * to, (size.width + to - 1) / to * to};
}

// Mirrors an index beyond the end, without repeating the last element.
std::int64_t mirrored(std::int64_t i, std::int64_t length) {
    if (length == 1) {
        return 0;
    }
    const std::int64_t period = 2 * (length - 1);
    i %= period;
    return i < length ? i : period - i;
}

}  // namespace

PictureSize size_of(const sluice_tensor_spec& pictures) { return {pictures.shape[1], pictures.shape[2]}; }

sluice_tensor_spec with_size(sluice_tensor_spec pictures, PictureSize size) {
    pictures.shape[1] = size.height;
    pictures.shape[2] = size.width;
    return pictures;
}

PictureSize FittingSizes::of(const registry::Field& input) {
    const auto [height, width] = size_of(input.spec);
    const auto [entry, is_new] = known_.try_emplace({height, width});
    if (is_new) {
        entry->second = search(input);
    }
    return entry->second;
}

PictureSize FittingSizes::search(registry::Field input) const {
    const PictureSize own = size_of(input.spec);
    for (std::int64_t multiple = 1; multiple <= kLargestMultiple; ++multiple) {
        input.spec = with_size(input.spec, rounded_up(own, multiple));
        if (fits(input)) {
            return size_of(input.spec);
        }
    }
    return own;
}

bool FittingSizes::fits(const registry::Field& input) const {
    try {
        const std::lock_guard lock(*tools_.planning);
        const plan::Graph graph = plan::build_graph(spec_, tools_, std::span(&input, 1), plan::Mode::forward);
        const sluice_tensor_spec& output = graph.tensors[graph.prediction].spec;
        return output.rank == 4 && size_of(output) == size_of(input.spec);
    } catch (const OutOfResources&) {
        throw;
    } catch (const Error&) {
        return false;
    }
}

PictureSize FittingSizes::of_evaluation(std::span<const registry::Field> fields) {
    const auto named = [&](const std::string& name) { return std::ranges::find(fields, name, &registry::Field::name); };
    const auto input = named(spec_.model.input);
    const auto target = named(spec_.model.target);
    if (input == fields.end() || input->spec.rank != 4) {
        return {};
    }
    const bool is_paired =
        target != fields.end() && target->spec.rank >= 3 && size_of(target->spec) == size_of(input->spec);
    return is_paired ? of(*input) : size_of(input->spec);
}

std::vector<registry::Field> FittingSizes::padded(std::span<const registry::Field> fields) {
    std::vector<registry::Field> result(fields.begin(), fields.end());
    const auto input = std::ranges::find(result, spec_.model.input, &registry::Field::name);
    if (input == result.end() || input->spec.rank != 4) {
        return result;
    }
    const PictureSize own = size_of(input->spec);
    const PictureSize fitting = of_evaluation(fields);
    for (registry::Field& field : result) {
        if (field.spec.rank >= 3 && size_of(field.spec) == own) {
            field.spec = with_size(field.spec, fitting);
        }
    }
    return result;
}

void copy_mirrored(const std::uint8_t* picture, PictureSize size, std::int64_t top, std::int64_t left,
                   PictureSize window, std::int64_t pixel_bytes, std::uint8_t* to) {
    const std::int64_t inside = std::clamp<std::int64_t>(size.width - left, 0, window.width);
    for (std::int64_t y = 0; y < window.height; ++y, to += window.width * pixel_bytes) {
        const std::uint8_t* const row = picture + mirrored(top + y, size.height) * size.width * pixel_bytes;
        std::memcpy(to, row + left * pixel_bytes, static_cast<std::size_t>(inside * pixel_bytes));
        for (std::int64_t x = inside; x < window.width; ++x) {
            std::memcpy(to + x * pixel_bytes, row + mirrored(left + x, size.width) * pixel_bytes,
                        static_cast<std::size_t>(pixel_bytes));
        }
    }
}

}  // namespace sluice::run
