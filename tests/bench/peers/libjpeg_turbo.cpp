// Measures libjpeg-turbo alone: some threads read files and decode them to RGB, again and again.
//
//   libjpeg_turbo THREADS SECONDS FILE...      prints JSON
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

// This header must come after cstddef and cstdio, because it uses their names.
#include <jpeglib.h>

namespace {

using Clock = std::chrono::steady_clock;

struct Sums {
    std::uint64_t samples = 0;
    std::uint64_t pixels = 0;
};

// Keeps its buffers, so that files of the same size allocate little. libjpeg's own errors exit the program.
class Decoder {
public:
    Decoder() {
        codec_.err = jpeg_std_error(&errors_);
        jpeg_create_decompress(&codec_);
    }
    ~Decoder() { jpeg_destroy_decompress(&codec_); }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    // Returns the number of pixels.
    std::uint64_t decode(const char* path) {
        read(path);
        jpeg_mem_src(&codec_, file_.data(), file_.size());
        jpeg_read_header(&codec_, TRUE);
        codec_.out_color_space = JCS_RGB;
        jpeg_start_decompress(&codec_);
        const std::size_t row_bytes = std::size_t{codec_.output_width} * 3;
        pixels_.resize(std::max(pixels_.size(), row_bytes * codec_.output_height));
        while (codec_.output_scanline < codec_.output_height) {
            JSAMPROW row = pixels_.data() + codec_.output_scanline * row_bytes;
            jpeg_read_scanlines(&codec_, &row, 1);
        }
        jpeg_finish_decompress(&codec_);
        return std::uint64_t{codec_.output_width} * codec_.output_height;
    }

private:
    void read(const char* path) {
        std::FILE* const file = std::fopen(path, "rb");
        if (file == nullptr || std::fseek(file, 0, SEEK_END) != 0) {
            std::perror(path);
            std::exit(1);
        }
        file_.resize(static_cast<std::size_t>(std::ftell(file)));
        std::rewind(file);
        if (std::fread(file_.data(), 1, file_.size(), file) != file_.size()) {
            std::perror(path);
            std::exit(1);
        }
        std::fclose(file);
    }

    jpeg_decompress_struct codec_ = {};
    jpeg_error_mgr errors_ = {};
    std::vector<std::uint8_t> file_;
    std::vector<std::uint8_t> pixels_;
};

}  // namespace

int main(int count, char** words) {
    if (count < 4) {
        std::fprintf(stderr, "libjpeg_turbo THREADS SECONDS FILE...\n");
        return 2;
    }
    const std::vector<const char*> files(words + 3, words + count);
    std::vector<Sums> sums(static_cast<std::size_t>(std::max(1, std::atoi(words[1]))));
    std::atomic<std::uint64_t> next = 0;
    const Clock::time_point start = Clock::now();
    const Clock::time_point end =
        start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::atof(words[2])));
    {
        std::vector<std::jthread> threads;
        for (Sums& sum : sums) {
            threads.emplace_back([&] {
                Decoder decoder;
                Sums own;  // not in a cache line that other threads write
                while (Clock::now() < end) {
                    own.pixels += decoder.decode(files[next++ % files.size()]);
                    ++own.samples;
                }
                sum = own;
            });
        }
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    Sums all;
    for (const Sums& sum : sums) {
        all.samples += sum.samples;
        all.pixels += sum.pixels;
    }
    std::printf(
        "{\"version\": \"libjpeg-turbo %d.%d.%d\", \"samples_per_second\": %.3f, \"pixels_per_second\": %.0f}\n",
        LIBJPEG_TURBO_VERSION_NUMBER / 1000000, LIBJPEG_TURBO_VERSION_NUMBER / 1000 % 1000,
        LIBJPEG_TURBO_VERSION_NUMBER % 1000, static_cast<double>(all.samples) / seconds,
        static_cast<double>(all.pixels) / seconds);
    return 0;
}
