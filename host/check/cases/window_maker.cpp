// Cases for transforms that make parts of pictures, such as decoders.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "base/error.hpp"
#include "check/cases/transform_samples.hpp"
#include "check/cases/windows.hpp"

namespace sluice::check {
namespace {

// One sample, the pictures made of it, and parts of them.
class Parts {
public:
    Parts(const FittedTransform& transform, const Sample& sample)
        : transform_(transform.of_samples()),
          maker_(*registry::WindowMaker::of(transform_)),
          context_(transform.make_context()),
          view_(sample.view()),
          extents_(transform_.written().size()) {}

    // Makes the whole pictures; call it before all else. Returns false if the transform refuses the sample.
    bool make_whole() {
        try {
            transform_.apply(context_, view_.tensors, kSampleKey, whole_);
            return true;
        } catch (const Error& error) {
            if (error.exit() != Exit::data) {
                throw;
            }
            return false;
        }
    }
    [[nodiscard]] std::span<const registry::Field> fields() const { return transform_.written(); }
    [[nodiscard]] const SampleBuffer& whole() const { return whole_; }
    [[nodiscard]] std::span<const sluice_extent> query_extents() {
        maker_.extents(context_, view_.tensors, extents_);
        return extents_;
    }
    // Returns the window to make of a field with that extent.
    using WindowOf = std::function<sluice_window(const registry::Field&, const sluice_extent&)>;
    void make(const WindowOf& window_of, SampleBuffer& buffer) {
        windows_.clear();
        for (std::uint32_t i = 0; i < fields().size(); ++i) {
            windows_.push_back(window_of(fields()[i], extent_of(whole_.tensor(i).spec)));
        }
        maker_.extents(context_, view_.tensors, extents_);
        maker_.apply(context_, view_.tensors, windows_, kSampleKey, buffer);
    }
    // The windows of the last make().
    [[nodiscard]] std::span<const sluice_window> windows() const { return windows_; }

private:
    const registry::Transform& transform_;
    registry::WindowMaker maker_;
    registry::WorkerContext context_;
    Sample::View view_;  // lent from extents() to apply()
    std::vector<sluice_extent> extents_;
    std::vector<sluice_window> windows_;
    SampleBuffer whole_;
};

// Calls `action` for samples of several sizes. Throws CaseSkipped if the transform refuses all of them.
void for_samples(Trial& trial, const std::function<void(Parts&)>& action) {
    need_interface(trial, SLUICE_WINDOW_MAKER_V1);
    const FittedTransform transform(trial, SampleShape{});
    bool has_made = false;
    for (const auto& [height, width] : {std::pair{24, 32}, {25, 33}, {1, 9}, {1, 1}}) {
        trial.doing(fmt::format("a sample of {} x {}", height, width));
        const Sample sample = transform.sample(static_cast<std::uint64_t>(height), {height, width, 0, false});
        if (Parts parts(transform, sample); parts.make_whole()) {
            has_made = true;
            action(parts);
        }
    }
    if (!has_made) {
        throw CaseSkipped("the transform refuses every sample");
    }
}

void expect_extents(Parts& parts) {
    const auto reported = parts.query_extents();
    for (std::uint32_t i = 0; i < reported.size(); ++i) {
        const sluice_extent right = extent_of(parts.whole().tensor(i).spec);
        expect(reported[i].height == right.height && reported[i].width == right.width,
               fmt::format("extents() reports {} x {} for field '{}'; expected {} x {}", reported[i].height,
                           reported[i].width, parts.fields()[i].name, right.height, right.width));
    }
}

void makes_parts_of_the_whole(Trial& trial) {
    for_samples(trial, [&](Parts& parts) {
        expect_extents(parts);
        for (std::size_t number = 0; number < kWindows; ++number) {
            SampleBuffer part;
            parts.make([&](const auto&, const auto& extent) { return some_window(trial, extent, number); }, part);
            expect_windows(parts.whole(), part, parts.fields(), parts.windows(), "apply() of windows");
        }
    });
}

// Average distance of the pixels of `shrunk` from the means of the whole picture's pixels that they replace.
double distance_from_means(const HostTensor& whole, const HostTensor& shrunk, std::int64_t times) {
    const auto [height, width] = extent_of(whole.spec);
    const auto [rows, columns] = extent_of(shrunk.spec);
    const std::int64_t channels = whole.spec.rank == 3 ? whole.spec.shape[2] : 1;
    const auto at = [&](const HostTensor& picture, std::int64_t y, std::int64_t x, std::int64_t channel) {
        const std::int64_t pixel = y * picture.spec.shape[1] + x;
        return static_cast<double>(picture.bytes[static_cast<std::size_t>(pixel * channels + channel)]);
    };
    double distance = 0.0;
    for (std::int64_t y = 0; y < rows; ++y) {
        for (std::int64_t x = 0; x < columns; ++x) {
            const std::int64_t bottom = std::min((y + 1) * times, height);
            const std::int64_t right = std::min((x + 1) * times, width);
            for (std::int64_t channel = 0; channel < channels; ++channel) {
                double sum = 0.0;
                for (std::int64_t i = y * times; i < bottom; ++i) {
                    for (std::int64_t j = x * times; j < right; ++j) {
                        sum += at(whole, i, j, channel);
                    }
                }
                const auto count = static_cast<double>((bottom - y * times) * (right - x * times));
                distance += std::abs(at(shrunk, y, x, channel) - sum / count);
            }
        }
    }
    return distance / static_cast<double>(rows * columns * channels);
}

// Expects the fields of `shrunk`, which are whole pictures, to be near the means of the unshrunk pixels.
void expect_means(const Parts& parts, const SampleBuffer& shrunk) {
    constexpr double kAbout = 16.0;  // of 255; the plugin may choose the kind of mean
    expect(shrunk.damage().empty(), fmt::format("apply() of shrunk windows writes {}", shrunk.damage()));
    for (std::uint32_t i = 0; i < parts.fields().size(); ++i) {
        const HostTensor whole = parts.whole().tensor(i);
        const HostTensor found = shrunk.tensor(i);
        const std::int64_t times = parts.windows()[i].shrink;
        const sluice_tensor_spec right = spec_of(whole.spec, parts.windows()[i]);
        expect(found.spec == right,
               fmt::format("field '{}', shrunk {} times, is {}; expected {}", parts.fields()[i].name, times,
                           to_string(found.spec), to_string(right)));
        const double distance = distance_from_means(whole, found, times);
        expect(
            distance <= kAbout,
            fmt::format("pixels of field '{}', shrunk {} times, are {:.1f} of 255 away from the means of the picture",
                        parts.fields()[i].name, times, distance));
    }
}

// Label maps are never shrunk.
void shrinks_as_the_whole(Trial& trial) {
    for_samples(trial, [&](Parts& parts) {
        if (std::ranges::count(parts.fields(), SLUICE_FIELD_IMAGE, &registry::Field::role) == 0) {
            throw CaseSkipped("the transform makes no images");
        }
        for (const std::int64_t times : {2, 4, 8}) {
            const auto make = [&](std::size_t number, SampleBuffer& buffer) {
                parts.make(
                    [&](const registry::Field& field, const sluice_extent& extent) {
                        return some_window(trial, extent, number, field.role == SLUICE_FIELD_IMAGE ? times : 1);
                    },
                    buffer);
            };
            SampleBuffer shrunk;
            make(0, shrunk);
            expect_means(parts, shrunk);
            for (std::size_t number = 1; number < kWindows; ++number) {
                SampleBuffer part;
                make(number, part);
                expect_windows(shrunk, part, parts.fields(), parts.windows(), "apply() of shrunk windows");
            }
        }
    });
}

constexpr Case kWindowMakerCases[] = {
    {"transform.windows", "A part of a picture equals that part of the whole, byte for byte, and extents are correct.",
     makes_parts_of_the_whole},
    {"transform.shrunk_windows", "Shrunk windows have the requested size and are parts of one picture of means.",
     shrinks_as_the_whole},
};

}  // namespace

std::span<const Case> window_maker_cases() { return kWindowMakerCases; }

}  // namespace sluice::check
