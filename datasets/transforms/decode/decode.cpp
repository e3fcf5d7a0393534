#include "decode/decode.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "codec/exif.hpp"
#include "codec/open_picture.hpp"
#include "codec/orientation.hpp"
#include "codec/widen.hpp"
#include "resize/shrink.hpp"

namespace sluice::transforms {

struct Opened {
    std::unique_ptr<PictureReader> reader;
    Orientation orientation = Orientation::upright;
};

namespace {

struct Context : sdk::WorkerContext {
    std::vector<Opened> opened;         // one for each chosen field, while a sample is made
    std::vector<std::uint8_t> upright;  // a picture before its orientation is applied
    std::vector<std::uint8_t> covered;  // pixels to average
};

enum class Remark { grey, deep, cmyk, alpha, colours, other };

// Each kind of remark is logged once per process, not once per picture.
bool is_first(Remark kind) {
    static std::array<std::atomic_flag, 6> logged;
    return !logged[static_cast<std::size_t>(kind)].test_and_set();
}

// Logs a conversion when the first picture that needs it is opened.
void log_made(const sdk::Host& host, const Chosen& chosen, const Opened& opened) {
    const bool is_label_map = chosen.role == SLUICE_FIELD_LABEL_MAP;
    const bool keeps_all = chosen.role == SLUICE_FIELD_TENSOR;
    const PictureReader& reader = *opened.reader;
    const auto first = [&] { return " (first: field '" + chosen.name + "', " + describe(reader.extent()) + ")"; };
    if (!is_label_map && reader.is_grey() && is_first(Remark::grey)) {
        host.info("decode: grey pictures are converted to RGB" + first());
    }
    if (reader.is_cmyk() && is_first(Remark::cmyk)) {
        host.info("decode: JPEG files in CMYK are converted to RGB" + first());
    }
    if (reader.has_alpha() && is_first(Remark::alpha)) {
        host.warn("decode: the transparency of PNG files is ignored" + first());
    }
    if (!is_label_map && reader.has_other_colours() && is_first(Remark::colours)) {
        host.warn("decode: the colour space that PNG files name in chunk cICP, such as one of HDR, is not applied" +
                  first());
    }
    if (reader.is_deep() && !keeps_all && is_first(Remark::deep)) {
        host.warn("decode: PNG files of 16 bits are reduced to 8 bits" + first() +
                  "; { use = \"decode\", type = \"float32\" } keeps all bits");
    }
}

void log_remark(const sdk::Host& host, const std::string& name, const std::string& remark) {
    if (!remark.empty() && is_first(Remark::other)) {
        host.warn("decode: field '" + name + "': " + remark +
                  "; such files are decoded without the index, which takes longer");
    }
}

Opened open(std::span<const sluice_tensor> fields, const Chosen& chosen, const sdk::Host& host) {
    const sluice_tensor& field = fields[chosen.index];
    const auto* const bytes = static_cast<const std::uint8_t*>(field.data) + field.byte_offset;
    const std::span file(bytes, static_cast<std::size_t>(field.shape[0]));
    const bool is_label_map = chosen.role == SLUICE_FIELD_LABEL_MAP;
    const bool keeps_all = chosen.role == SLUICE_FIELD_TENSOR;
    Opened opened{.reader = is_label_map ? open_label_map(file) : open_picture(file, keeps_all)};
    opened.orientation = exif_orientation(file);
    log_made(host, chosen, opened);
    return opened;
}

Extent extent_of(const Opened& opened) { return turned_extent(opened.reader->extent(), opened.orientation); }

// "field 'image' (24x32) has the EXIF orientation 6"
std::string orientation_text(const Opened& opened, const std::string& name) {
    const std::string exif = opened.orientation == Orientation::upright
                                 ? "no EXIF orientation"
                                 : "the EXIF orientation " + std::to_string(static_cast<int>(opened.orientation));
    return "field '" + name + "' (" + describe(opened.reader->extent()) + ") has " + exif;
}

// The pictures of a sample show the same scene, so either all of them are turned or none. Throws or warns if their
// orientations disagree, unless their stored extents explain it.
void compare_orientations(const std::vector<Opened>& all, const std::vector<Chosen>& chosen, const sdk::Host& host) {
    static std::atomic_flag has_warned;
    for (std::size_t i = 1; i < all.size(); ++i) {
        const Opened& first = all.front();
        const bool are_stored_alike = first.reader->extent() == all[i].reader->extent();
        const bool fit_upright = extent_of(first) == extent_of(all[i]);
        if (first.orientation == all[i].orientation || (fit_upright && !are_stored_alike)) {
            continue;
        }
        const std::string found =
            orientation_text(first, chosen.front().name) + ", " + orientation_text(all[i], chosen[i].name);
        if (are_stored_alike && !fit_upright) {
            throw sdk::Failure(SLUICE_BAD_SAMPLE,
                               found +
                                   ": after turning, their sizes do not match; turn the pixels of both files, or of "
                                   "none, and remove the EXIF orientation");
        }
        if (!has_warned.test_and_set()) {
            host.warn("decode: " + found +
                      ": one of the two is turned, which is wrong if both were stored in the same position");
        }
    }
}

// The spec of a decoded picture. An image of float32 has the role of a tensor (picture.hpp).
sluice_tensor_spec spec_of(Extent extent, std::int32_t role) {
    return role == SLUICE_FIELD_LABEL_MAP ? sdk::make_spec(sdk::kUint8, {extent.height, extent.width})
           : role == SLUICE_FIELD_TENSOR  ? sdk::make_spec(sdk::kFloat32, {extent.height, extent.width, 3})
                                          : sdk::make_spec(sdk::kUint8, {extent.height, extent.width, 3});
}

// Converts the values that the reader wrote to `pixels` to float32, in place, if the role asks for it.
void widen_image(const Opened& opened, Extent extent, std::int32_t role, std::uint8_t* pixels) {
    if (role == SLUICE_FIELD_TENSOR) {
        widen(pixels, extent.height * extent.width * opened.reader->channels(), opened.reader->value_bytes());
    }
}

// Scratch memory for a picture of this extent, in the format of its reader.
Picture stored_picture(const Opened& opened, Extent extent, std::vector<std::uint8_t>& scratch) {
    Picture picture{nullptr, extent, opened.reader->channels(), opened.reader->value_bytes()};
    scratch.resize(static_cast<std::size_t>(extent.height * picture.row_bytes()));
    picture.bytes = scratch.data();
    return picture;
}

void read(const Opened& opened, std::vector<std::uint8_t>& scratch, std::uint8_t* to) {
    if (opened.orientation == Orientation::upright) {
        opened.reader->read(to);
        return;
    }
    const Picture stored = stored_picture(opened, opened.reader->extent(), scratch);
    opened.reader->read(scratch.data());
    turn(stored, opened.orientation, to);
}

void read_upright(const Opened& opened, const Window& window, std::vector<std::uint8_t>& scratch, std::uint8_t* to) {
    if (opened.orientation == Orientation::upright) {
        opened.reader->read_window(window, to);
        return;
    }
    const Window there = stored_window(window, opened.reader->extent(), opened.orientation);
    const Picture stored = stored_picture(opened, there.extent, scratch);
    opened.reader->read_window(there, scratch.data());
    turn(stored, opened.orientation, to);
}

// Reads the window of the picture shrunk by `times` (2, 4, 8). Averages pixels instead if the reader cannot shrink, or
// if it would group the pixels of a turned picture from the wrong end.
void read_shrunk(const Opened& opened, const Window& window, int times, Context& scratch, std::uint8_t* to) {
    const Extent stored = opened.reader->extent();
    const bool is_upright = opened.orientation == Orientation::upright;
    const bool is_even = stored.height % times == 0 && stored.width % times == 0;
    if ((is_upright || is_even) && opened.reader->shrink(times)) {
        read_upright(opened, window, scratch.upright, to);
        return;
    }
    const Extent whole = turned_extent(stored, opened.orientation);
    const Window covered = enlarged(window, times, whole);
    scratch.covered.resize(static_cast<std::size_t>(covered.extent.height * covered.extent.width * 3));
    read_upright(opened, covered, scratch.upright, scratch.covered.data());
    average({scratch.covered.data(), covered.extent, 3}, times, to);
}

void read_window(const Opened& opened, const sluice_window& asked, Context& scratch, std::uint8_t* to) {
    const Window window{asked.top, asked.left, {asked.height, asked.width}};
    if (asked.shrink == 1) {
        read_upright(opened, window, scratch.upright, to);
    } else {
        read_shrunk(opened, window, static_cast<int>(asked.shrink), scratch, to);
    }
}

}  // namespace

Decode::Decode(sdk::Host host, const sdk::Options& options)
    : host_(host),
      choice_(options),
      image_role_(options.string("type") == "float32" ? SLUICE_FIELD_TENSOR : SLUICE_FIELD_IMAGE) {
    if (options.has("label_maps")) {
        label_maps_ = options.strings("label_maps");
    }
}

void Decode::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.encoded(fields);
    for (Chosen& field : chosen_) {
        field.role = image_role_;
    }
    for (const std::string& name : label_maps_) {
        const auto field = std::ranges::find(chosen_, name, &Chosen::name);
        if (field == chosen_.end()) {
            throw sdk::Failure(SLUICE_INVALID,
                               "option 'label_maps': '" + name + "' is not a field that is decoded here");
        }
        field->role = SLUICE_FIELD_LABEL_MAP;
    }
    for (const Chosen& field : chosen_) {
        sink.field(field.name, field.role, spec_of({-1, -1}, field.role));
    }
}

std::unique_ptr<sdk::WorkerContext> Decode::make_context() const { return std::make_unique<Context>(); }

// Calls action(i) for each chosen field. Failures get the field's name.
template <class Action>
void Decode::for_fields(const Action& action) const {
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        try {
            action(i);
        } catch (const sdk::Failure& failure) {
            throw sdk::Failure(failure.status(), "field '" + chosen_[i].name + "': " + failure.what(), failure.file(),
                               failure.line());
        }
    }
}

std::vector<Opened>& Decode::open_all(sdk::WorkerContext& context, std::span<const sluice_tensor> fields) const {
    std::vector<Opened>& opened = static_cast<Context&>(context).opened;
    opened.resize(chosen_.size());
    for_fields([&](std::uint32_t i) { opened[i] = open(fields, chosen_[i], host_); });
    compare_orientations(opened, chosen_, host_);
    return opened;
}

void Decode::apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key&,
                   const sdk::SampleSink& sink) const {
    std::vector<Opened>& opened = open_all(context, fields);
    for_fields([&](std::uint32_t i) {
        const Extent turned = extent_of(opened[i]);
        std::uint8_t* const to = sink.allocate(i, spec_of(turned, chosen_[i].role));
        read(opened[i], static_cast<Context&>(context).upright, to);
        widen_image(opened[i], turned, chosen_[i].role, to);
        opened[i] = {};
    });
}

void Decode::extents(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                     std::span<sluice_extent> extents) const {
    const std::vector<Opened>& opened = open_all(context, fields);
    for (std::size_t i = 0; i < opened.size(); ++i) {
        const Extent turned = extent_of(opened[i]);
        extents[i] = {turned.height, turned.width};
    }
}

void Decode::apply_windows(sdk::WorkerContext& context, std::span<const sluice_tensor>,
                           std::span<const sluice_window> windows, const sluice_random_key&,
                           const sdk::SampleSink& sink) const {
    auto& state = static_cast<Context&>(context);
    for_fields([&](std::uint32_t i) {
        const sluice_window& window = windows[i];
        const Extent extent{window.height, window.width};
        std::uint8_t* const to = sink.allocate(i, spec_of(extent, chosen_[i].role));
        read_window(state.opened[i], window, state, to);
        widen_image(state.opened[i], extent, chosen_[i].role, to);
        log_remark(host_, chosen_[i].name, state.opened[i].reader->remark());
        state.opened[i] = {};
    });
}

}  // namespace sluice::transforms
