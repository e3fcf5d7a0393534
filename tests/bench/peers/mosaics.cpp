// Makes large pictures for measurements. Each is a grid of squares from the middle of photographs, chosen at random and
// mirrored at random. So a pixel costs as much to decode as a pixel of a photograph.
//
//   mosaics FOLDER COUNT HEIGHT WIDTH PHOTO...      writes FOLDER/00000.jpg ...; the same arguments give the same files
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

// This header must come after cstddef and cstdio, because it uses their names.
#include <jpeglib.h>

#include "pictures.hpp"

namespace {

constexpr std::size_t kSide = 320;  // of a square
constexpr std::size_t kChannels = 3;
constexpr int kQuality = 90;

using Square = std::vector<std::uint8_t>;

[[noreturn]] void stop(const std::string& what) {
    std::fprintf(stderr, "mosaics: %s\n", what.c_str());
    std::exit(1);
}

// Returns the middle of a photograph; empty: the photograph is smaller. libjpeg's own errors exit the program.
Square read_square(const std::string& path) {
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) {
        stop(path + " cannot be opened");
    }
    jpeg_error_mgr errors = {};
    jpeg_decompress_struct codec = {};
    codec.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&codec);
    jpeg_stdio_src(&codec, file);
    jpeg_read_header(&codec, TRUE);
    codec.out_color_space = JCS_RGB;
    jpeg_start_decompress(&codec);
    Square square;
    if (codec.output_width >= kSide && codec.output_height >= kSide) {
        const std::size_t top = (codec.output_height - kSide) / 2;
        const std::size_t left = (codec.output_width - kSide) / 2 * kChannels;
        std::vector<std::uint8_t> line(std::size_t{codec.output_width} * kChannels);
        while (codec.output_scanline < top + kSide) {
            const bool is_wanted = codec.output_scanline >= top;
            JSAMPROW row = line.data();
            jpeg_read_scanlines(&codec, &row, 1);
            if (is_wanted) {
                square.insert(square.end(), row + left, row + left + kSide * kChannels);
            }
        }
    }
    jpeg_destroy_decompress(&codec);
    std::fclose(file);
    return square;
}

void put(const Square& square, bool mirrored, std::uint8_t* to, std::size_t line_bytes) {
    for (std::size_t y = 0; y < kSide; ++y) {
        const std::uint8_t* const from = square.data() + y * kSide * kChannels;
        for (std::size_t x = 0; x < kSide; ++x) {
            std::copy_n(from + (mirrored ? kSide - 1 - x : x) * kChannels, kChannels,
                        to + y * line_bytes + x * kChannels);
        }
    }
}

}  // namespace

int main(int count, char** words) {
    if (count < 6) {
        std::fprintf(stderr, "mosaics FOLDER COUNT HEIGHT WIDTH PHOTO...\n");
        return 2;
    }
    const std::string folder = words[1];
    const std::size_t files = std::strtoull(words[2], nullptr, 10);
    const std::size_t height = std::strtoull(words[3], nullptr, 10) / kSide * kSide;
    const std::size_t width = std::strtoull(words[4], nullptr, 10) / kSide * kSide;
    std::vector<Square> squares;
    for (int i = 5; i < count; ++i) {
        if (Square square = read_square(words[i]); !square.empty()) {
            squares.push_back(std::move(square));
        }
    }
    if (squares.empty() || height == 0 || width == 0) {
        stop("photographs, and a height and width, of at least 320 pixels are needed");
    }
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
        threads.emplace_back([&] {
            sluice::test::Picture picture{static_cast<int>(height), static_cast<int>(width), kChannels,
                                          std::vector<std::uint8_t>(height * width * kChannels)};
            for (std::size_t number = next++; number < files; number = next++) {
                std::mt19937 draws(static_cast<unsigned>(number));
                for (std::size_t at = 0; at < height * width / kSide / kSide; ++at) {
                    const std::size_t top = at / (width / kSide) * kSide;
                    const std::size_t left = at % (width / kSide) * kSide;
                    const Square& square = squares[draws() % squares.size()];
                    put(square, draws() % 2 == 1, picture.pixels.data() + (top * width + left) * kChannels,
                        width * kChannels);
                }
                char name[32];
                std::snprintf(name, sizeof(name), "/%05zu.jpg", number);
                if (!(std::ofstream(folder + name, std::ios::binary) << jpeg_of(picture, {.quality = kQuality}))
                         .flush()) {
                    stop(folder + name + " cannot be written");
                }
            }
        });
    }
    return 0;
}
