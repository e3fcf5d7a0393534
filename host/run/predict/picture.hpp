// Picture files in and out, for `predict`: decoding is that of the data pipeline, so that both see the same pixels.
#pragma once

#include <cstdint>
#include <filesystem>

#include "registry/loading/registry.hpp"
#include "registry/objects/objects.hpp"
#include "run/predict/colour_tags.hpp"

namespace sluice::run {

struct DecodedPicture {
    HostTensor image;  // [H, W, 3]
    ColourTags colours;
};

class PictureDecoder {
public:
    // type: of the pixels, uint8 or float32. Pictures of more pixels are refused before memory is taken for them.
    PictureDecoder(const registry::Registry& registry, sluice_dtype type, std::int64_t most_pixels);
    // Throws Error(Exit::data) naming the file, or OutOfMemory.
    [[nodiscard]] DecodedPicture decode(const std::filesystem::path& file) const;

private:
    registry::Transform transform_;
    registry::WorkerContext context_;
    std::int64_t most_pixels_;
};

// Writes uint8 [H, W, 1 or 3] aside and renames; makes the folder. False if it is written without the ICC profile,
// which is not one of such pictures, or not whole. Throws Error(Exit::save).
bool write_png(const std::filesystem::path& file, const HostTensor& image, const ColourTags& colours = {});

}  // namespace sluice::run
