// Names of spans and operations in the files of profiles.
#pragma once

#include <string>
#include <string_view>

#include "profile/window.hpp"

namespace sluice::observers {

// "forward/residual/2/conv2d", "optimizer/adam"
std::string path_of(const sluice_profile_operation& operation);

// "Conv2dBatchNormRelu", "Conv2dBackward"
std::string type_of(const sluice_profile_operation& operation);

// Says in one word what a span of that kind does: "read", "upload".
std::string_view word_of(std::uint32_t span_kind);

// A launch has the path of its operation. Stages, sources and transforms have their own name, other spans their word
// and their name: "observer metrics".
std::string label_of(const Window& window, const sluice_span& span);

bool is_launch(std::uint32_t span_kind);

// "steps-000020-000024"
std::string window_name(const Window& window);

}  // namespace sluice::observers
