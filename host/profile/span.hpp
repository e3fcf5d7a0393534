// A stretch of time in which a thread did one thing.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "profile/operation.hpp"

namespace sluice::profile {

struct Span {
    // Copies what it holds, since its owner may change it before the window is collected. Longer names are cut.
    class Name {
    public:
        Name() = default;
        template <std::convertible_to<std::string_view> Text>
        Name(const Text& name) {  // NOLINT(google-explicit-constructor): a name is a text
            const std::string_view text = name;
            length_ = static_cast<std::uint8_t>(std::min(text.size(), text_.size()));
            std::copy_n(text.begin(), length_, text_.begin());
        }
        [[nodiscard]] std::string_view view() const { return {text_.data(), length_}; }

    private:
        std::array<char, 79> text_;
        std::uint8_t length_ = 0;
    };

    double begin = 0.0;  // as now()
    double end = 0.0;
    std::uint32_t kind = SLUICE_SPAN_STAGE;  // SLUICE_SPAN_...
    Name name{};
    const Operation* operation = nullptr;  // null: none
    std::int64_t step = 0;                 // 0: none
    std::int64_t sample = -1;              // -1: none
    std::uint64_t bytes = 0;
    std::uint64_t correlation = 0;
};

}  // namespace sluice::profile
