// Picture sizes for which a network's output is as large as its input, and padding of pictures to such a size. A
// network with strides only takes multiples of some number.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "config/spec.hpp"
#include "plan/toolbox.hpp"
#include "registry/objects/field.hpp"

namespace sluice::run {

struct PictureSize {
    std::int64_t height = 0;
    std::int64_t width = 0;
    bool operator==(const PictureSize&) const = default;
};

// Returns height and width of [N, H, W, ...].
PictureSize size_of(const sluice_tensor_spec& pictures);
sluice_tensor_spec with_size(sluice_tensor_spec pictures, PictureSize size);

class FittingSizes {
public:
    // `spec` and `tools` must outlive this object.
    FittingSizes(const config::PipelineSpec& spec, const plan::Toolbox& tools) : spec_(spec), tools_(tools) {}

    // Returns the smallest size from that of `input` [N, H, W, C] upwards that the network's output has too. If there
    // is none, returns the size of `input`; planning the network then reports what is wrong.
    [[nodiscard]] PictureSize of(const registry::Field& input);
    // Does the same for the fields of an evaluation. Also returns the input's size if the target is not a picture of
    // that size.
    [[nodiscard]] PictureSize of_evaluation(std::span<const registry::Field> fields);
    // Returns the fields with pictures in the size of of_evaluation().
    [[nodiscard]] std::vector<registry::Field> padded(std::span<const registry::Field> fields);

private:
    [[nodiscard]] PictureSize search(registry::Field input) const;
    [[nodiscard]] bool fits(const registry::Field& input) const;

    const config::PipelineSpec& spec_;
    const plan::Toolbox& tools_;
    std::map<std::pair<std::int64_t, std::int64_t>, PictureSize> known_;  // by height and width
};

// Copies a window of a picture. Beyond the picture's last rows and columns, the picture is mirrored.
void copy_mirrored(const std::uint8_t* picture, PictureSize size, std::int64_t top, std::int64_t left,
                   PictureSize window, std::int64_t pixel_bytes, std::uint8_t* to);

}  // namespace sluice::run
