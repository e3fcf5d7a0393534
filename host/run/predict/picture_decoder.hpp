// Reads picture files for `predict` as the data pipeline does, so that both see equal pixels.
#pragma once

#include <cstdint>
#include <filesystem>

#include "registry/loading/registry.hpp"
#include "registry/objects/transform.hpp"
#include "registry/objects/worker_context.hpp"
#include "run/predict/colour_tags.hpp"

namespace sluice::run {

struct DecodedPicture {
    HostTensor image;  // [H, W, 3]
    ColourTags colours;
};

class PictureDecoder {
public:
    // `type`: of the pixels, uint8 or float32. Pictures with more than `most_pixels` are refused before their memory is
    // allocated.
    PictureDecoder(const registry::Registry& registry, sluice_dtype type, std::int64_t most_pixels);
    // Throws Error(Exit::data) with the file's name, or OutOfMemory.
    [[nodiscard]] DecodedPicture decode(const std::filesystem::path& file) const;

private:
    registry::Transform transform_;
    registry::WorkerContext context_;
    std::int64_t most_pixels_;
};

}  // namespace sluice::run
