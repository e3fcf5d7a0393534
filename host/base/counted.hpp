// A count with its noun, as a sentence has it.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace sluice {

// "1 batch", "2 batches", by the number's digits.
std::string counted(const std::string& digits, std::string_view noun);

template <std::integral Count>
std::string counted(Count count, std::string_view noun) {
    return counted(std::to_string(count), noun);
}

}  // namespace sluice
