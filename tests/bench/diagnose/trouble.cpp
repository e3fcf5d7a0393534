// Components that hold a training back in one way each, for tests of `host diagnose`.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sluice/sdk/plugin.hpp"

namespace {

using namespace sluice::sdk;

void sleep_for_milliseconds(double milliseconds) {
    if (milliseconds > 0.0) {
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
    }
}

// Bright rectangles of four classes on noise. A sample reads slices of a file first, and may wait.
class Scenes final : public Source {
public:
    Scenes(Host, const Options& options)
        : count_(options.integer("count")),
          height_(options.integers("size").at(0)),
          width_(options.integers("size").at(1)),
          validates_(options.string("split") == "validation"),
          slices_(options.integer("slices")),
          wait_(options.number("wait_ms")),
          is_locked_(options.boolean("locked")),
          seek_(options.number("seek_ms")) {
        const std::string file = options.string("file");
        if (!file.empty() && slices_ > 0) {
            file_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
            if (file_ < 0) {
                throw Failure(SLUICE_INVALID, file + ": cannot be read");
            }
        }
    }
    ~Scenes() override {
        if (file_ >= 0) {
            ::close(file_);
        }
    }

    void describe(const FieldSink& sink) const override {
        sink.field("image", SLUICE_FIELD_IMAGE, make_spec(kUint8, {height_, width_, 3}));
        sink.field("classes", SLUICE_FIELD_LABEL_MAP, make_spec(kUint8, {height_, width_}));
        sink.length(static_cast<std::uint64_t>(count_));
    }

    [[nodiscard]] std::unique_ptr<WorkerContext> make_context() const override { return std::make_unique<Buffer>(); }

    void read(WorkerContext& context, std::uint64_t index, std::uint64_t, const SampleSink& sink) const override {
        sink.name("scene " + std::to_string(index));
        const std::uint64_t last = last_.exchange(index);
        const bool is_near = index < last + kNear && last < index + kNear;
        const double wait = wait_ + (is_near ? 0.0 : seek_);
        if (is_locked_) {
            const std::lock_guard one_at_a_time(mutex_);
            sleep_for_milliseconds(wait);
        } else {
            sleep_for_milliseconds(wait);
        }
        const std::uint32_t read = read_slices(static_cast<Buffer&>(context), index);
        Draws draws({1, validates_ ? 2U : 1U, index});
        std::uint8_t* const image = sink.allocate(0, make_spec(kUint8, {height_, width_, 3}));
        std::uint8_t* const classes = sink.allocate(1, make_spec(kUint8, {height_, width_}));
        std::uint32_t noise = draws.word() | 1U | (read & 2U);
        for (std::int64_t i = 0; i < height_ * width_; ++i) {
            noise = noise * 1664525U + 1013904223U;
            classes[i] = 0;
            for (std::int64_t channel = 0; channel < 3; ++channel) {
                image[3 * i + channel] = static_cast<std::uint8_t>((noise >> (8 * channel)) & 63U);
            }
        }
        for (int number = 0; number < 6; ++number) {
            add_rectangle(draws, image, classes);
        }
    }

private:
    static constexpr std::int64_t kSlice = 1 << 20;  // bytes

    struct Buffer : WorkerContext {
        std::vector<std::uint8_t> bytes;
    };

    // Returns a sum of the bytes, so that they are really read.
    std::uint32_t read_slices(Buffer& buffer, std::uint64_t index) const {
        std::uint32_t sum = 0;
        if (file_ < 0) {
            return sum;
        }
        buffer.bytes.resize(kSlice);
        for (std::int64_t slice = 0; slice < slices_; ++slice) {
            const auto number = static_cast<std::int64_t>(index) * 7 + slice;
            const ssize_t got = ::pread(file_, buffer.bytes.data(), kSlice, number % kSlices * kSlice);
            for (ssize_t i = 0; i < got; ++i) {
                sum += buffer.bytes[static_cast<std::size_t>(i)];
            }
        }
        return sum;
    }

    void add_rectangle(Draws& draws, std::uint8_t* image, std::uint8_t* classes) const {
        const std::int64_t kind = 1 + draws.below(3);
        const std::int64_t top = draws.below(height_ / 2);
        const std::int64_t left = draws.below(width_ / 2);
        const std::int64_t bottom = top + height_ / 8 + draws.below(height_ / 4);
        const std::int64_t right = left + width_ / 8 + draws.below(width_ / 4);
        for (std::int64_t y = top; y < bottom; ++y) {
            for (std::int64_t x = left; x < right; ++x) {
                classes[y * width_ + x] = static_cast<std::uint8_t>(kind);
                image[3 * (y * width_ + x) + kind - 1] = static_cast<std::uint8_t>(160 + (x + y) % 64);
            }
        }
    }

    static constexpr std::int64_t kSlices = 64;  // of the file
    static constexpr std::uint64_t kNear = 64;   // samples
    std::int64_t count_;
    std::int64_t height_;
    std::int64_t width_;
    bool validates_;
    std::int64_t slices_;
    double wait_;
    bool is_locked_;
    double seek_;
    int file_ = -1;
    mutable std::mutex mutex_;
    mutable std::atomic<std::uint64_t> last_{0};
};

void copy_image(const sluice_tensor& image, const SampleSink& sink) {
    const std::int64_t height = image.shape[0];
    const std::int64_t row = image.shape[1] * image.shape[2];
    std::uint8_t* const copy = sink.allocate(0, make_spec(kUint8, {image.shape[0], image.shape[1], image.shape[2]}));
    const auto* const from = static_cast<const std::uint8_t*>(image.data) + image.byte_offset;
    for (std::int64_t y = 0; y < height; ++y) {
        std::copy_n(from + y * image.strides[0], row, copy + y * row);
    }
}

// Describes the image, and returns its number.
std::size_t describe_image(std::span<const sluice_field> fields, const FieldSink& sink) {
    std::size_t image = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (view(fields[i].name) == "image") {
            image = i;
            sink.field("image", fields[i].role, fields[i].spec);
        }
    }
    return image;
}

// Keeps some bytes of each sample forever.
class Leak final : public Transform {
public:
    Leak(Host, const Options& options) : bytes_(static_cast<std::size_t>(options.integer("bytes"))) {}

    void describe(std::span<const sluice_field> fields, const FieldSink& sink) override {
        image_ = describe_image(fields, sink);
    }

    void apply(WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key&,
               const SampleSink& sink) const override {
        copy_image(fields[image_], sink);
        const std::lock_guard lock(mutex_);
        kept_.emplace_back(bytes_, std::uint8_t{1});
    }

private:
    std::size_t bytes_;
    std::size_t image_ = 0;
    mutable std::mutex mutex_;
    mutable std::vector<std::vector<std::uint8_t>> kept_;
};

// Copies the image many times, and throws all copies but the last away.
class Copies final : public Transform {
public:
    Copies(Host, const Options& options) : times_(options.integer("times")) {}

    void describe(std::span<const sluice_field> fields, const FieldSink& sink) override {
        image_ = describe_image(fields, sink);
    }

    [[nodiscard]] std::unique_ptr<WorkerContext> make_context() const override { return std::make_unique<Buffer>(); }

    void apply(WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key&,
               const SampleSink& sink) const override {
        const sluice_tensor& image = fields[image_];
        auto& bytes = static_cast<Buffer&>(context).bytes;
        const auto size = static_cast<std::size_t>(image.shape[0] * image.strides[0]);
        bytes.resize(size * static_cast<std::size_t>(times_));
        for (std::int64_t number = 0; number < times_; ++number) {
            std::copy_n(static_cast<const std::uint8_t*>(image.data) + image.byte_offset, size,
                        bytes.data() + size * static_cast<std::size_t>(number));
        }
        copy_image(image, sink);
    }

private:
    struct Buffer : WorkerContext {
        std::vector<std::uint8_t> bytes;
    };

    std::int64_t times_;
    std::size_t image_ = 0;
};

// Passes all fields on. In the process with one rank, it waits, and only one thread at a time.
class SlowRank final : public Transform {
public:
    SlowRank(Host, const Options& options) : wait_(options.number("wait_ms")) {
        const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
        is_slow_ = rank != nullptr && std::stoll(rank) == options.integer("rank");
    }

    void describe(std::span<const sluice_field> fields, const FieldSink& sink) override {
        image_ = describe_image(fields, sink);
    }

    void apply(WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key&,
               const SampleSink& sink) const override {
        copy_image(fields[image_], sink);
        if (is_slow_) {
            const std::lock_guard one_at_a_time(mutex_);
            sleep_for_milliseconds(wait_);
        }
    }

private:
    double wait_;
    bool is_slow_ = false;
    std::size_t image_ = 0;
    mutable std::mutex mutex_;
};

// Writes pictures after each step.
class ManyPictures final : public Observer {
public:
    ManyPictures(Host, const Options& options) : count_(options.integer("count")) {}

    [[nodiscard]] std::uint64_t wants() const noexcept override {
        return 1U << SLUICE_EVENT_RUN_BEGIN | 1U << SLUICE_EVENT_STEP;
    }

    void on_event(const sluice_event& event) override {
        if (event.kind == SLUICE_EVENT_RUN_BEGIN) {
            folder_ = view(event.text);
            return;
        }
        constexpr std::int64_t kSide = 256;
        std::string pixels(kSide * kSide * 3, '\0');
        for (std::int64_t number = 0; number < count_; ++number) {
            for (std::size_t i = 0; i < pixels.size(); ++i) {
                pixels[i] = static_cast<char>(i * static_cast<std::size_t>(number + 1));
            }
            // A file that is cut first would be flushed to the disk at once, whose speed changes from time to time.
            const std::string name = folder_ + "/picture_" + std::to_string(number) + ".ppm";
            std::ofstream(name, std::ios::binary | std::ios::app);
            std::fstream out(name, std::ios::binary | std::ios::in | std::ios::out);
            out << "P6\n" << kSide << " " << kSide << "\n255\n" << pixels;
        }
    }

private:
    std::int64_t count_;
    std::string folder_;
};

constexpr sluice_component kComponents[] = {
    component<Scenes>("test.source.scenes"),
    component<Leak>("test.transform.leak"),
    component<Copies>("test.transform.copies"),
    component<SlowRank>("test.transform.slow_rank"),
    component<ManyPictures>("test.observer.many_pictures"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
