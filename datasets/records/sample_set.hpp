// The samples of several files in one numbering.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record_formats/bytes.hpp"
#include "sluice/sdk/window.hpp"

namespace sluice::records {

// Functions throw Damage for every error in a file.
class SampleSet {
public:
    virtual ~SampleSet() = default;
    virtual void describe(const sdk::FieldSink& sink) const = 0;
    [[nodiscard]] virtual std::uint64_t size() const = 0;
    // A message for each file whose samples cannot all be found. The samples that are not found count as one.
    [[nodiscard]] virtual std::vector<std::string> losses() const = 0;
    virtual void read(std::uint64_t index, const sdk::SampleSink& sink, Bytes& scratch) const = 0;

    // For fields that are stored in tiles, so that a window can be read separately; see sdk/window.hpp.
    virtual void has_windows(std::span<std::uint8_t> windows) const {
        std::ranges::fill(windows, std::uint8_t{SLUICE_WINDOWS_NONE});
    }
    virtual void extents(std::uint64_t /*index*/, std::span<sluice_extent> /*extents*/) const {}
    virtual void read_windows(std::uint64_t index, std::span<const sluice_window> /*windows*/,
                              const sdk::SampleSink& sink, Bytes& scratch) const {
        read(index, sink, scratch);
    }

    // Sets the class numbers of the first samples, at least one. An unreadable sample gets the class of another one, so
    // that it is drawn and read() reports the error. Throws SLUICE_INVALID unless exactly one field has class numbers,
    // or if all data would have to be read.
    virtual void classes(std::span<std::int64_t> classes) const = 0;
    // Sets the weights of the first samples, which option 'weights' has to name; NaN for an unreadable sample. Throws
    // SLUICE_BAD_SAMPLE if a value is not a weight.
    virtual void weights(std::span<double> weights) const = 0;

    // `field`: number as in describe(). Returns an empty text if the class has no name.
    [[nodiscard]] virtual std::string_view class_name(std::uint32_t /*field*/,
                                                      std::uint64_t /*number*/) const noexcept {
        return {};
    }
    // The message about files that name a class differently; empty: all agree.
    [[nodiscard]] virtual std::string name_conflict() const { return {}; }
};

}  // namespace sluice::records
