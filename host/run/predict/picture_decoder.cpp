#include "run/predict/picture_decoder.hpp"

#include <fmt/format.h>

#include <string>

#include "base/error.hpp"
#include "base/files.hpp"
#include "registry/loading/log_subject.hpp"

namespace sluice::run {
namespace {

registry::Transform open_decode(const registry::Registry& registry, sluice_dtype type) {
    const registry::Component component = registry.find(registry::Kind::transform, "decode", {});
    const registry::Field file{"image", SLUICE_FIELD_ENCODED, make_spec(kUint8, {-1})};
    config::ComponentSpec decode{.use = "decode", .origin = {}, .options = {}};
    decode.options.set("type", {std::string(type == kFloat32 ? "float32" : "uint8"), {}});
    return {component, registry.options(component, decode), {}, std::span(&file, 1)};
}

// Receives the one field that `decode` writes. It gets the size before the pixels, so it can refuse large pictures.
struct Catcher : registry::SampleWriter {
    explicit Catcher(std::int64_t most) : most_pixels(most) {}
    void* allocate(std::uint32_t, const sluice_tensor_spec& spec) override {
        constexpr std::int64_t kMega = 1'000'000;
        if (const std::int64_t pixels = spec.shape[0] * spec.shape[1]; pixels > most_pixels) {
            throw Error(Exit::data,
                        fmt::format("{}x{} are {} megapixels, but --most-megapixels is {}; use --most-megapixels {} "
                                    "to read it",
                                    spec.shape[1], spec.shape[0], (pixels + kMega / 2) / kMega, most_pixels / kMega,
                                    (pixels + kMega - 1) / kMega));
        }
        image.spec = spec;
        image.bytes.resize(byte_count(spec));
        return image.bytes.data();
    }
    void set_name(std::string_view) override {}
    HostTensor image;
    std::int64_t most_pixels;
};

}  // namespace

PictureDecoder::PictureDecoder(const registry::Registry& registry, sluice_dtype type, std::int64_t most_pixels)
    : transform_(open_decode(registry, type)), context_(transform_.make_context()), most_pixels_(most_pixels) {}

DecodedPicture PictureDecoder::decode(const std::filesystem::path& file) const {
    std::string bytes;
    try {
        bytes = read_file(file);
    } catch (const Error& error) {
        throw Error(Exit::data, error.what());
    }
    const std::int64_t shape = static_cast<std::int64_t>(bytes.size());
    const std::int64_t stride = 1;
    const sluice_tensor field{bytes.data(), {SLUICE_DEVICE_CPU, 0}, 1, kUint8, &shape, &stride, 0};
    Catcher catcher(most_pixels_);
    const std::string name = file.string();
    const registry::LogSubject subject(name);
    try {
        transform_.apply(context_, std::span(&field, 1), {}, catcher);
    } catch (const OutOfMemory&) {
        throw;
    } catch (const Error& error) {
        throw Error(error.exit(), name + ": " + error.what());
    }
    return {std::move(catcher.image), read_colour_tags(bytes)};
}

}  // namespace sluice::run
