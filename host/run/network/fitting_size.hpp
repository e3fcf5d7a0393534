// Sizes of pictures that a network gives back as large as it gets them, and pictures that are padded to such a size. A
// network with strides takes multiples of some number alone.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "config/spec.hpp"
#include "plan/toolbox.hpp"
#include "registry/objects/objects.hpp"

namespace sluice::run {

struct PictureSize {
    std::int64_t height = 0;
    std::int64_t width = 0;
    bool operator==(const PictureSize&) const = default;
};

// Of [N, H, W, ...].
PictureSize size_of(const sluice_tensor_spec& pictures);
sluice_tensor_spec with_size(sluice_tensor_spec pictures, PictureSize size);

class FittingSizes {
public:
    // Both outlive it.
    FittingSizes(const config::PipelineSpec& spec, const plan::Toolbox& tools) : spec_(spec), tools_(tools) {}

    // The least size, from that of `input` [N, H, W, C] on, that the network's output has as well. If there is none,
    // its own: the network's plan then says what is wrong.
    [[nodiscard]] PictureSize of(const registry::Field& input);
    // The same for the fields of an evaluation. Its own size also if the target is no picture of the input's size.
    [[nodiscard]] PictureSize of_evaluation(std::span<const registry::Field> fields);
    // Those fields in that size.
    [[nodiscard]] std::vector<registry::Field> padded(std::span<const registry::Field> fields);

private:
    [[nodiscard]] PictureSize search(registry::Field input) const;
    [[nodiscard]] bool fits(const registry::Field& input) const;

    const config::PipelineSpec& spec_;
    const plan::Toolbox& tools_;
    std::map<std::pair<std::int64_t, std::int64_t>, PictureSize> known_;  // by height and width
};

// Copies a window of a picture; what lies beyond the picture's last rows and columns is mirrored at them.
void copy_mirrored(const std::uint8_t* picture, PictureSize size, std::int64_t top, std::int64_t left,
                   PictureSize window, std::int64_t pixel_bytes, std::uint8_t* to);

}  // namespace sluice::run
