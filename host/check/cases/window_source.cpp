// A case for sources that read parts of pictures.
#include <fmt/format.h>

#include "base/error.hpp"
#include "check/cases/windows.hpp"

namespace sluice::check {
namespace {

constexpr std::uint64_t kSeed = 1;

// Compares extents with the fields of a sample that was read whole.
void expect_extents(const registry::WindowSource& source, std::span<const sluice_extent> extents,
                    const SampleBuffer& whole, std::uint64_t index) {
    for (std::uint32_t i = 0; i < extents.size(); ++i) {
        const bool has_windows = source.has_windows()[i] != SLUICE_WINDOWS_NONE;
        const sluice_extent right = has_windows ? extent_of(whole.tensor(i).spec) : sluice_extent{-1, -1};
        expect(extents[i].height == right.height && extents[i].width == right.width,
               fmt::format("extents() of sample {} reports {} x {} for field number {}; expected {} x {}", index,
                           extents[i].height, extents[i].width, i, right.height, right.width));
    }
}

bool is_readable(const registry::Source& source, const registry::WorkerContext& context, std::uint64_t index,
                 SampleBuffer& whole) {
    try {
        source.read(context, index, kSeed, whole);
        return true;
    } catch (const Error& error) {
        if (error.exit() != Exit::data) {
            throw;
        }
        return false;
    }
}

void reads_parts_of_the_whole(Trial& trial) {
    need_interface(trial, SLUICE_WINDOW_SOURCE_V1);
    const registry::Source source(trial.component(), trial.options(), {});
    const auto parts = registry::WindowSource::of(source);
    if (!parts) {
        throw CaseSkipped("the source offers no windows of its pictures");
    }
    const registry::WorkerContext context = source.make_context();
    bool has_read = false;
    for (const std::uint64_t index : {std::uint64_t{0}, source.length() - 1, trial.draw(source.length())}) {
        SampleBuffer whole;
        if (!is_readable(source, context, index, whole)) {
            continue;
        }
        has_read = true;
        std::vector<sluice_extent> extents(source.fields().size());
        for (std::size_t number = 0; number < kWindows; ++number) {
            parts->extents(context, index, kSeed, extents);
            expect_extents(*parts, extents, whole, index);
            std::vector<sluice_window> windows(extents.size(), sluice_window{0, 0, 0, 0, 1});
            for (std::size_t i = 0; i < windows.size(); ++i) {
                if (parts->has_windows()[i] != SLUICE_WINDOWS_NONE) {
                    windows[i] = some_window(trial, extents[i], number);
                }
            }
            SampleBuffer part;
            parts->read(context, index, kSeed, windows, part);
            expect_windows(whole, part, source.fields(), windows, fmt::format("read() of sample {}", index));
        }
    }
    if (!has_read) {
        throw CaseSkipped("no sample of the source can be read");
    }
}

constexpr Case kWindowSourceCases[] = {
    {"source.windows", "A part of a picture equals that part of the whole, byte for byte, and extents are correct.",
     reads_parts_of_the_whole},
};

}  // namespace

std::span<const Case> window_source_cases() { return kWindowSourceCases; }

}  // namespace sluice::check
