// The samples of several files, as one row of them.
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

// Everything that is wrong with a file is thrown as Damage.
class SampleSet {
public:
    virtual ~SampleSet() = default;
    virtual void describe(const sdk::FieldSink& sink) const = 0;
    [[nodiscard]] virtual std::uint64_t size() const = 0;
    // What is wrong with each file of which not all samples can be found; those that cannot count as one.
    [[nodiscard]] virtual std::vector<std::string> losses() const = 0;
    virtual void read(std::uint64_t index, const sdk::SampleSink& sink, Bytes& scratch) const = 0;

    // Where a field lies in tiles, so that a window of it is read alone; see sdk/window.hpp.
    virtual void has_windows(std::span<std::uint8_t> windows) const {
        std::ranges::fill(windows, std::uint8_t{SLUICE_WINDOWS_NONE});
    }
    virtual void extents(std::uint64_t /*index*/, std::span<sluice_extent> /*extents*/) const {}
    virtual void read_windows(std::uint64_t index, std::span<const sluice_window> /*windows*/,
                              const sdk::SampleSink& sink, Bytes& scratch) const {
        read(index, sink, scratch);
    }

    // The class numbers of the first samples, at least one; of those whose class cannot be read that of another, so
    // that their turn comes and reading them says what is wrong. Throws SLUICE_INVALID where there is not one field
    // with them, or all data would have to be read.
    virtual void classes(std::span<std::int64_t> classes) const = 0;
    // Where option 'weights' names them: those of the first samples, NaN where one cannot be read. Throws
    // SLUICE_BAD_SAMPLE where what can be read is no weight.
    virtual void weights(std::span<double> weights) const = 0;

    // `field` counts as in describe(). Returns an empty text if the class has no name.
    [[nodiscard]] virtual std::string_view class_name(std::uint32_t /*field*/,
                                                      std::uint64_t /*number*/) const noexcept {
        return {};
    }
    // Says which files name a class differently; empty: all agree.
    [[nodiscard]] virtual std::string name_conflict() const { return {}; }
};

}  // namespace sluice::records
