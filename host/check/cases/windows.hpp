// Parts of pictures, for the cases that make or choose them; see kind/window.h.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "check/cases/data_sample.hpp"
#include "check/contract/cases.hpp"
#include "registry/optional/windows.hpp"

namespace sluice::check {

[[nodiscard]] bool is_picture(const registry::Field& field);
// The extent of a picture; -1, -1 if it is none.
[[nodiscard]] sluice_extent extent_of(const sluice_tensor_spec& spec);

// Makes window `number`, below kWindows: the whole, a pixel in a corner, the last row, or a random one.
constexpr std::size_t kWindows = 7;
sluice_window some_window(Trial& trial, const sluice_extent& extent, std::size_t number, std::int64_t shrink = 1);

// The spec of a window of such a picture.
[[nodiscard]] sluice_tensor_spec spec_of(const sluice_tensor_spec& picture, const sluice_window& window);
// The part of the picture in the window.
[[nodiscard]] HostTensor cut(const HostTensor& picture, const sluice_window& window);

// Expects each field of `part` to equal its window of `whole`, or all of it if the window is empty. `call` names the
// call in messages: "read() of sample 3".
void expect_windows(const SampleBuffer& whole, const SampleBuffer& part, std::span<const registry::Field> fields,
                    std::span<const sluice_window> windows, const std::string& call);

// These cases are skipped if the component does not serve the interface.
std::span<const Case> window_source_cases();
std::span<const Case> window_maker_cases();
std::span<const Case> window_choice_cases();

}  // namespace sluice::check
