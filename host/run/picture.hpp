// Picture files in and out, for `predict`: decoding is that of the data pipeline, so that both see the same pixels.
#pragma once

#include <filesystem>

#include "registry/objects.hpp"
#include "registry/registry.hpp"

namespace sluice::run {

class PictureDecoder {
public:
    explicit PictureDecoder(const registry::Registry& registry);
    // uint8 [H, W, 3]. Throws Error(Exit::data) naming the file.
    [[nodiscard]] HostTensor decode(const std::filesystem::path& file) const;

private:
    registry::Transform transform_;
    registry::WorkerContext context_;
};

// Writes uint8 [H, W, 1 or 3] aside and renames; makes the folder. Throws Error(Exit::save).
void write_png(const std::filesystem::path& file, const HostTensor& image);

}  // namespace sluice::run
