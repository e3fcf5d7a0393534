#include "codec/png.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "sluice/sdk/guard.hpp"

namespace sluice::transforms {
namespace {

// Hashes of label maps in colour whose channels were found equal in all pixels. A window of such a file can be read
// without checking the pixels outside. [any thread]
class KnownGrey {
public:
    static bool has(std::uint64_t file) {
        const std::lock_guard lock(mutex());
        return files().contains(file);
    }
    static void add(std::uint64_t file) {
        const std::lock_guard lock(mutex());
        files().insert(file);
    }

private:
    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }
    static std::unordered_set<std::uint64_t>& files() {
        static std::unordered_set<std::uint64_t> all;
        return all;
    }
};

// True for RGB and RGBA, but not for a palette.
bool is_in_colour(png_byte color) {
    return (color & PNG_COLOR_MASK_COLOR) != 0 && (color & PNG_COLOR_MASK_PALETTE) == 0;
}

}  // namespace

// libpng reports an error by calling a function that must not return. Ours jumps to `escape`, where the error is
// thrown. The jump skips only frames of libpng and of bodies without destructors.
struct PngReader::State {
    std::span<const std::uint8_t> unread;
    PngPixels pixels;
    bool is_complete;  // true if the file ends with PNG's IEND chunk
    std::jmp_buf escape = {};
    std::array<char, 200> message = {};
    std::size_t refused = 0;  // bytes of a block that libpng did not get
    png_structp codec = nullptr;
    png_infop info = nullptr;
    png_byte color = 0;  // type and bits of the file, not of the converted rows
    png_byte bits = 0;
    std::int64_t value_bytes = 1;
    bool is_triple = false;  // a label map in colour, with each number three times
    std::uint64_t hash = 0;  // of the file, if is_triple

    State(std::span<const std::uint8_t> file, PngPixels as) : unread(file), pixels(as), is_complete(ends(file)) {
        codec = png_create_read_struct_2(
            PNG_LIBPNG_VER_STRING, this, fail, [](png_structp, png_const_charp) {}, this, allocate,
            [](png_structp, png_voidp block) { std::free(block); });
        info = codec == nullptr ? nullptr : png_create_info_struct(codec);
        if (info == nullptr) {
            png_destroy_read_struct(&codec, &info, nullptr);
            fail_without_memory();
        }
        png_set_read_fn(codec, this, give);
    }
    ~State() { png_destroy_read_struct(&codec, &info, nullptr); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    template <class Body>
    void attempt(Body body) {
        static_assert(std::is_trivially_destructible_v<Body>);
        if (setjmp(escape) != 0) {
            if (refused > 0) {
                fail_without_memory();
            }
            throw sdk::Failure(SLUICE_BAD_SAMPLE, "the PNG file is damaged or cut off: " + std::string(message.data()));
        }
        body();
    }

    [[noreturn]] void fail_without_memory() const {
        throw sdk::Failure(SLUICE_NO_MEMORY,
                           "out of memory: libpng cannot allocate a block of " + std::to_string(refused) + " bytes");
    }

    static png_voidp allocate(png_structp codec, png_alloc_size_t bytes) {
        void* const block = std::malloc(bytes);
        if (block == nullptr) {
            static_cast<State*>(png_get_mem_ptr(codec))->refused = bytes;
        }
        return block;
    }

    [[noreturn]] static void fail(png_structp codec, png_const_charp what) {
        auto* self = static_cast<State*>(png_get_error_ptr(codec));
        std::strncpy(self->message.data(), what, self->message.size() - 1);
        std::longjmp(self->escape, 1);
    }

    [[nodiscard]] std::int64_t channels() const { return pixels == PngPixels::numbers ? 1 : 3; }
    [[nodiscard]] std::int64_t pixel_bytes() const { return (is_triple ? 3 : channels()) * value_bytes; }

    // Sets the conversion of rows, and returns the number of passes over the rows. Call it within attempt().
    int begin(Extent size) {
        if (pixels != PngPixels::numbers) {
            if (value_bytes == 1) {
                png_set_scale_16(codec);
            } else if constexpr (std::endian::native == std::endian::little) {
                png_set_swap(codec);
            }
            png_set_expand(codec);  // palettes, fewer than 8 bits, transparent colours
            png_set_strip_alpha(codec);
            png_set_gray_to_rgb(codec);
        } else {
            png_set_packing(codec);      // a byte for each pixel, whose value stays
            png_set_strip_alpha(codec);  // the indices of a palette stay, even if some are transparent
        }
        const int passes = png_set_interlace_handling(codec);
        png_read_update_info(codec, info);
        if (png_get_rowbytes(codec, info) != static_cast<std::size_t>(size.width * pixel_bytes())) {
            png_error(codec, "its rows cannot be converted to RGB or numbers");
        }
        return passes;
    }

    // "a PNG file of grey, 16 bits"
    [[nodiscard]] std::string kind_text() const {
        const std::string kind = color == PNG_COLOR_TYPE_PALETTE      ? "a palette"
                                 : color == PNG_COLOR_TYPE_GRAY       ? "grey"
                                 : color == PNG_COLOR_TYPE_GRAY_ALPHA ? "grey with transparency"
                                 : color == PNG_COLOR_TYPE_RGB        ? "colours (RGB)"
                                                                      : "colours with transparency (RGBA)";
        return "a PNG file of " + kind + ", " + std::to_string(bits) + " bits";
    }

    void refuse_all_but_numbers() const {
        if (bits > 8) {
            throw sdk::Failure(SLUICE_BAD_SAMPLE, kind_text() + "; " + std::string(kLabelMapFile));
        }
    }

    // Writes the common value of the channels of `count` pixels of a row, from pixel `first` on. Throws if they differ.
    void take_equal(const std::uint8_t* rgb, std::int64_t row, std::int64_t first, std::int64_t count,
                    std::uint8_t* to) const {
        for (std::int64_t i = 0; i < count; ++i) {
            const std::uint8_t* const pixel = rgb + (first + i) * 3;
            if (pixel[0] != pixel[1] || pixel[1] != pixel[2]) {
                throw sdk::Failure(SLUICE_BAD_SAMPLE,
                                   kind_text() + ", whose channels differ: the pixel in row " + std::to_string(row) +
                                       ", column " + std::to_string(first + i) + " is " + std::to_string(pixel[0]) +
                                       ", " + std::to_string(pixel[1]) + ", " + std::to_string(pixel[2]) + "; " +
                                       std::string(kLabelMapFile));
            }
            to[i] = pixel[0];
        }
    }

    static bool ends(std::span<const std::uint8_t> file) {
        constexpr std::string_view kEnd("\0\0\0\0IEND\xae\x42\x60\x82", 12);
        return file.size() > kEnd.size() && std::memcmp(file.last(kEnd.size()).data(), kEnd.data(), kEnd.size()) == 0;
    }

    static void give(png_structp codec, png_bytep to, std::size_t count) {
        auto* self = static_cast<State*>(png_get_io_ptr(codec));
        if (count > self->unread.size()) {
            png_error(codec, "it ends too early");
        }
        std::memcpy(to, self->unread.data(), count);
        self->unread = self->unread.subspan(count);
    }
};

bool is_png(std::span<const std::uint8_t> file) {
    constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
    return file.size() >= kSignature.size() &&
           std::equal(kSignature.begin(), kSignature.end(), file.begin(),
                      [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

PngReader::PngReader(std::span<const std::uint8_t> file, PngPixels pixels)
    : state_(std::make_unique<State>(file, pixels)) {
    State& state = *state_;
    state.attempt([&state] {
        png_set_keep_unknown_chunks(state.codec, PNG_HANDLE_CHUNK_ALWAYS, reinterpret_cast<png_const_bytep>("cICP"), 1);
        png_read_info(state.codec, state.info);
    });
    state.color = png_get_color_type(state.codec, state.info);
    state.bits = png_get_bit_depth(state.codec, state.info);
    if (pixels == PngPixels::numbers) {
        state.refuse_all_but_numbers();
        state.is_triple = is_in_colour(state.color);
        const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
        state.hash = state.is_triple ? std::hash<std::string_view>()(bytes) : 0;
    }
    state.value_bytes = pixels == PngPixels::deep_rgb && is_deep() ? 2 : 1;
}

PngReader::~PngReader() = default;

Extent PngReader::extent() const {
    return {png_get_image_height(state_->codec, state_->info), png_get_image_width(state_->codec, state_->info)};
}

bool PngReader::is_grey() const { return (state_->color & PNG_COLOR_MASK_COLOR) == 0; }

bool PngReader::is_deep() const { return state_->bits > 8; }

bool PngReader::has_alpha() const {
    return (state_->color & PNG_COLOR_MASK_ALPHA) != 0 ||
           png_get_valid(state_->codec, state_->info, PNG_INFO_tRNS) != 0;
}

// False for BT.709 with the transfer curve of sRGB, which is the default anyway (PNG 3, 11.3.2.6).
bool PngReader::has_other_colours() const {
    png_unknown_chunkp chunk = nullptr;
    const int count = png_get_unknown_chunks(state_->codec, state_->info, &chunk);
    return count > 0 && !(chunk->size == 4 && chunk->data[0] == 1 && chunk->data[1] == 13);
}

std::int64_t PngReader::channels() const { return state_->channels(); }

std::int64_t PngReader::value_bytes() const { return state_->value_bytes; }

void PngReader::read(std::uint8_t* pixels) {
    State& state = *state_;
    const Extent size = extent();
    const std::int64_t row_bytes = size.width * state.pixel_bytes();
    std::vector<std::uint8_t> triples(state.is_triple ? static_cast<std::size_t>(size.height * row_bytes) : 0);
    std::uint8_t* const stored = state.is_triple ? triples.data() : pixels;
    state.attempt([&state, size, row_bytes, stored] {
        const int passes = state.begin(size);
        for (int pass = 0; pass < passes; ++pass) {
            for (std::int64_t y = 0; y < size.height; ++y) {
                png_read_row(state.codec, stored + y * row_bytes, nullptr);
            }
        }
        png_read_end(state.codec, nullptr);
    });
    if (state.is_triple) {
        for (std::int64_t y = 0; y < size.height; ++y) {
            state.take_equal(stored + y * row_bytes, y, 0, size.width, pixels + y * size.width);
        }
        KnownGrey::add(state.hash);
    }
}

bool PngReader::can_read_part() const {
    return png_get_interlace_type(state_->codec, state_->info) == PNG_INTERLACE_NONE && state_->is_complete &&
           (!state_->is_triple || KnownGrey::has(state_->hash));
}

void PngReader::read_part(const Window& window, std::uint8_t* pixels) {
    State& state = *state_;
    const Extent size = extent();
    std::vector<std::uint8_t> row(static_cast<std::size_t>(size.width * state.pixel_bytes()));
    state.attempt([&state, &window, &row, size, pixels] {
        state.begin(size);
        for (std::int64_t y = 0; y < window.top + window.extent.height; ++y) {
            png_read_row(state.codec, row.data(), nullptr);
            if (y >= window.top && state.is_triple) {
                state.take_equal(row.data(), y, window.left, window.extent.width,
                                 pixels + (y - window.top) * window.extent.width);
            } else if (y >= window.top) {
                const std::int64_t bytes = window.extent.width * state.pixel_bytes();
                std::memcpy(pixels + (y - window.top) * bytes, row.data() + window.left * state.pixel_bytes(),
                            static_cast<std::size_t>(bytes));
            }
        }
    });
}

}  // namespace sluice::transforms
