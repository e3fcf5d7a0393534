#include "run/picture.hpp"

#include <fmt/format.h>
#include <png.h>

#include <string>

#include "base/error.hpp"
#include "base/files.hpp"

namespace sluice::run {
namespace {

registry::Transform open_decode(const registry::Registry& registry) {
    const registry::Component component = registry.find(registry::Kind::transform, "decode", {});
    const registry::Field file{"image", SLUICE_FIELD_ENCODED, make_spec(kUint8, {-1})};
    return {component, registry.options(component, {"decode", {}, {}}), {}, std::span(&file, 1)};
}

// Takes the one field that decode writes.
struct Catcher : registry::SampleWriter {
    void* allocate(std::uint32_t, const sluice_tensor_spec& spec) override {
        image.spec = spec;
        image.bytes.resize(byte_count(spec));
        return image.bytes.data();
    }
    void set_name(std::string_view) override {}
    HostTensor image;
};

}  // namespace

PictureDecoder::PictureDecoder(const registry::Registry& registry)
    : transform_(open_decode(registry)), context_(transform_.make_context()) {}

HostTensor PictureDecoder::decode(const std::filesystem::path& file) const {
    std::string bytes;
    try {
        bytes = read_file(file);
    } catch (const Error& error) {
        throw Error(Exit::data, error.what());
    }
    const std::int64_t shape = static_cast<std::int64_t>(bytes.size());
    const std::int64_t stride = 1;
    const sluice_tensor field{bytes.data(), {SLUICE_DEVICE_CPU, 0}, 1, kUint8, &shape, &stride, 0};
    Catcher catcher;
    try {
        transform_.apply(context_, std::span(&field, 1), {}, catcher);
    } catch (const Error& error) {
        throw Error(error.exit(), file.string() + ": " + error.what());
    }
    return std::move(catcher.image);
}

void write_png(const std::filesystem::path& file, const HostTensor& image) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.height = static_cast<png_uint_32>(image.spec.shape[0]);
    header.width = static_cast<png_uint_32>(image.spec.shape[1]);
    header.format = image.spec.shape[2] == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
    std::string encoded(size, '\0');
    if (png_image_write_to_memory(&header, encoded.data(), &size, 0, image.bytes.data(), 0, nullptr) == 0) {
        throw Error(Exit::save, fmt::format("{}: cannot be encoded: {}", file.string(), header.message));
    }
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error) {
        throw Error(Exit::save,
                    fmt::format("{}: cannot make the folder: {}", file.parent_path().string(), error.message()));
    }
    write_file_atomically(file, std::string_view(encoded.data(), size));
}

}  // namespace sluice::run
