#include "decode.hpp"

#include <array>
#include <atomic>
#include <cstdio>

#include "codec/exif.hpp"
#include "codec/jpeg.hpp"
#include "codec/orientation.hpp"
#include "codec/png.hpp"

namespace sluice::transforms {
namespace {

constexpr std::int64_t kMostPixels = std::int64_t{1} << 28;  // 768 MiB of RGB

struct Context : sdk::WorkerContext {
    std::vector<std::uint8_t> upright;  // a picture before it is turned
};

[[noreturn]] void bad(const std::string& what) { throw sdk::Failure(SLUICE_BAD_SAMPLE, what); }

// What the first bytes of something that is no JPEG and no PNG look like.
std::string first_bytes(std::span<const std::uint8_t> file) {
    std::string text;
    for (const std::uint8_t byte : file.first(std::min<std::size_t>(file.size(), 4))) {
        std::array<char, 4> hex = {};
        std::snprintf(hex.data(), hex.size(), "%02x ", byte);
        text += hex.data();
    }
    return "not a JPEG or PNG file: " + std::to_string(file.size()) + " bytes that begin with " + text + "(hex)";
}

// One field on its way.
struct Job {
    std::span<const std::uint8_t> file;
    std::uint32_t output = 0;
    const std::string& name;
    const sdk::Host& host;
    const sdk::SampleSink& sink;
    std::vector<std::uint8_t>& scratch;
};

// Pictures of one channel are worth a word, but not one for each.
void tell_of_grey(const Job& job, Extent extent) {
    static std::atomic_flag told;
    if (!told.test_and_set()) {
        job.host.info("decode: grey pictures are made RGB (first: field '" + job.name + "', " + describe(extent) + ")");
    }
}

template <class Reader>
void decode(const Job& job) {
    Reader reader(job.file);
    const Extent extent = reader.extent();
    if (extent.height * extent.width > kMostPixels) {
        bad(describe(extent) + " pixels; at most " + std::to_string(kMostPixels) + " are supported");
    }
    if (reader.is_grey()) {
        tell_of_grey(job, extent);
    }
    const Orientation orientation = exif_orientation(job.file);
    const Extent turned = turned_extent(extent, orientation);
    const sluice_tensor_spec spec = sdk::make_spec(sdk::kUint8, {turned.height, turned.width, 3});
    if (orientation == Orientation::upright) {
        reader.read(job.sink.allocate(job.output, spec));
        return;
    }
    job.scratch.resize(static_cast<std::size_t>(extent.height * extent.width * 3));
    reader.read(job.scratch.data());
    turn({job.scratch.data(), extent, 3}, orientation, job.sink.allocate(job.output, spec));
}

void decode_any(const Job& job) {
    if (job.file.empty()) {
        bad("0 bytes, not a picture");
    }
    if (is_jpeg(job.file)) {
        decode<JpegReader>(job);
    } else if (is_png(job.file)) {
        decode<PngReader>(job);
    } else {
        bad(first_bytes(job.file));
    }
}

}  // namespace

void Decode::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.encoded(fields);
    for (const Chosen& field : chosen_) {
        sink.field(field.name, SLUICE_FIELD_IMAGE, sdk::make_spec(sdk::kUint8, {-1, -1, 3}));
    }
}

std::unique_ptr<sdk::WorkerContext> Decode::make_context() const { return std::make_unique<Context>(); }

void Decode::apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key&,
                   const sdk::SampleSink& sink) const {
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        const auto* bytes = static_cast<const std::uint8_t*>(field.data) + field.byte_offset;
        try {
            decode_any({.file = {bytes, static_cast<std::size_t>(field.shape[0])},
                        .output = i,
                        .name = chosen_[i].name,
                        .host = host_,
                        .sink = sink,
                        .scratch = static_cast<Context&>(context).upright});
        } catch (const sdk::Failure& failure) {
            throw sdk::Failure(failure.status(), "field '" + chosen_[i].name + "': " + failure.what(), failure.file(),
                               failure.line());
        }
    }
}

}  // namespace sluice::transforms
