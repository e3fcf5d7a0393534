// Parts of pictures, for the cases of what makes them and of what chooses them: see kind/window.h.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "check/cases/data_sample.hpp"
#include "check/contract/cases.hpp"
#include "registry/objects/windows.hpp"

namespace sluice::check {

[[nodiscard]] bool is_picture(const registry::Field& field);
// -1, -1: it is no picture.
[[nodiscard]] sluice_extent extent_of(const sluice_tensor_spec& spec);

// By its number, below kWindows: the whole, a pixel in a corner, the last row, or one that is drawn.
constexpr std::size_t kWindows = 7;
sluice_window some_window(Trial& trial, const sluice_extent& extent, std::size_t number, std::int64_t shrink = 1);

// Of a window of a picture of that shape.
[[nodiscard]] sluice_tensor_spec spec_of(const sluice_tensor_spec& picture, const sluice_window& window);
// What a window of that picture shows.
[[nodiscard]] HostTensor cut(const HostTensor& picture, const sluice_window& window);

// Expects of each field that `part` has the window of what `whole` has, all of it where that is empty. call: "read() of
// sample 3".
void expect_windows(const SampleBuffer& whole, const SampleBuffer& part, std::span<const registry::Field> fields,
                    std::span<const sluice_window> windows, const std::string& call);

// Skipped where the component does not serve the interface.
std::span<const Case> window_source_cases();
std::span<const Case> window_maker_cases();
std::span<const Case> window_choice_cases();

}  // namespace sluice::check
