// Cases for transforms that choose which windows of pictures they read, such as crops.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "check/cases/transform_samples.hpp"
#include "check/cases/windows.hpp"

namespace sluice::check {
namespace {

using Windows = std::vector<sluice_window>;

bool is_same(const sluice_window& a, const sluice_window& b) {
    return a.top == b.top && a.left == b.left && a.height == b.height && a.width == b.width && a.shrink == b.shrink;
}

std::vector<sluice_extent> extents_of(const Sample& sample) {
    std::vector<sluice_extent> extents;
    for (const HostTensor& tensor : sample.tensors) {
        extents.push_back(extent_of(tensor.spec));
    }
    return extents;
}

// A transform that knows which of its fields are available in windows.
class Chooser {
public:
    Chooser(Trial& trial, std::span<const registry::Field> fields, std::vector<std::uint8_t> offered)
        : transform_(trial.component(), trial.options(), {}, fields),
          choice_(*registry::WindowChoice::of(transform_)),
          offered_(std::move(offered)) {
        try {
            choice_.expect(offered_, {});
        } catch (const Error& error) {
            if (error.exit() != Exit::config) {
                throw;
            }
            throw CaseSkipped(error.what());  // the transform refuses this offer
        }
    }
    Chooser(const Chooser&) = delete;
    Chooser& operator=(const Chooser&) = delete;

    [[nodiscard]] Windows choose(const Sample& sample, const sluice_random_key& key) const {
        Windows windows(sample.fields.size());
        choice_.choose(extents_of(sample), offered_, key, windows);
        return windows;
    }
    // Returns the result for these windows alone; nothing if a host would read whole pictures instead.
    [[nodiscard]] std::optional<std::string> apply(const Sample& sample, const Windows& windows,
                                                   const sluice_random_key& key) const {
        Sample parts = sample;
        for (std::size_t i = 0; i < windows.size(); ++i) {
            if ((windows[i].height > 0) != (offered_[i] != SLUICE_WINDOWS_NONE) || windows[i].shrink != 1) {
                return std::nullopt;
            }
            if (windows[i].height > 0) {
                parts.tensors[i] = cut(sample.tensors[i], windows[i]);
            }
        }
        SampleBuffer buffer;
        if (choice_.copies_windows()) {
            return pass(parts, windows, buffer) ? std::optional(buffer.digest()) : std::nullopt;
        }
        const Sample::View view = parts.view();
        choice_.apply(transform_.make_context(), view.tensors, extents_of(sample), windows, key, buffer);
        expect(buffer.damage().empty(), fmt::format("apply() of windows writes {}", buffer.damage()));
        return buffer.digest();
    }

private:
    // Copies to each written field the window of the input field of that name. Returns false if there is none.
    [[nodiscard]] bool pass(const Sample& parts, const Windows& windows, SampleBuffer& buffer) const {
        for (std::uint32_t i = 0; i < transform_.written().size(); ++i) {
            const auto same = std::ranges::find(parts.fields, transform_.written()[i].name, &registry::Field::name);
            const auto number = static_cast<std::size_t>(same - parts.fields.begin());
            if (same == parts.fields.end() || windows[number].height == 0) {
                return false;
            }
            const HostTensor& part = parts.tensors[number];
            std::ranges::copy(part.bytes, static_cast<std::uint8_t*>(buffer.allocate(i, part.spec)));
        }
        return true;
    }

    registry::Transform transform_;
    registry::WindowChoice choice_;
    std::vector<std::uint8_t> offered_;
};

// Returns the result of apply() for whole pictures; nothing if it refuses them.
std::optional<std::string> apply_to_whole(const FittedTransform& transform, const Sample& sample,
                                          const sluice_random_key& key) {
    const Sample::View view = sample.view();
    SampleBuffer buffer;
    try {
        transform.of_samples().apply(transform.make_context(), view.tensors, key, buffer);
        return buffer.digest();
    } catch (const Error& error) {
        if (error.exit() != Exit::data) {
            throw;
        }
        return std::nullopt;
    }
}

// Offers windows of all pictures, and returns the offer without the fields of which the transform reads no window.
std::vector<std::uint8_t> offer_what_it_reads(Trial& trial, const Sample& sample, const sluice_random_key& key) {
    std::vector<std::uint8_t> offered;
    for (const registry::Field& field : sample.fields) {
        offered.push_back(is_picture(field) ? SLUICE_WINDOWS_UNSHRUNK : SLUICE_WINDOWS_NONE);
    }
    const Windows windows = Chooser(trial, sample.fields, offered).choose(sample, key);
    for (std::size_t i = 0; i < offered.size(); ++i) {
        offered[i] = windows[i].height > 0 ? offered[i] : std::uint8_t{SLUICE_WINDOWS_NONE};
    }
    return offered;
}

void chooses_what_it_reads(Trial& trial) {
    need_interface(trial, SLUICE_WINDOW_CHOICE_V1);
    const FittedTransform transform(trial, SampleShape{});
    int shown = 0;
    for (std::uint64_t number = 0; number < 6; ++number) {
        const Sample sample = transform.sample(number, number % 2 == 0 ? SampleShape{} : SampleShape{25, 33, 0, false});
        const sluice_random_key key{kSampleKey.seed, kSampleKey.stream, number};
        const auto right = apply_to_whole(transform, sample, key);
        if (!right) {
            continue;
        }
        const std::vector<std::uint8_t> offered = offer_what_it_reads(trial, sample, key);
        if (std::ranges::all_of(offered, [](std::uint8_t one) { return one == SLUICE_WINDOWS_NONE; })) {
            continue;
        }
        const Chooser chooser(trial, sample.fields, offered);
        const Windows windows = chooser.choose(sample, key);
        (void)chooser.choose(sample, {kSampleKey.seed, kSampleKey.stream, number + 100});
        for (const Windows& again :
             {chooser.choose(sample, key), Chooser(trial, sample.fields, offered).choose(sample, key)}) {
            expect(std::ranges::equal(windows, again, is_same), "choose() gives other windows with the same key");
        }
        if (const auto result = chooser.apply(sample, windows, key)) {
            ++shown;
            expect(*result == *right, fmt::format("windows of sample {} give other bytes than whole pictures", number));
        }
    }
    if (shown == 0) {
        throw CaseSkipped("the transform reads no windows of these samples");
    }
}

constexpr Case kWindowChoiceCases[] = {
    {"transform.window_choice", "The same key chooses the same windows, and they give what whole pictures give.",
     chooses_what_it_reads},
};

}  // namespace

std::span<const Case> window_choice_cases() { return kWindowChoiceCases; }

}  // namespace sluice::check
