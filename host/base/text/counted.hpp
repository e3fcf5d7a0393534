// A count with its noun in singular or plural.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace sluice {

// Returns "1 batch" or "2 batches"; `digits` is the count.
std::string counted(const std::string& digits, std::string_view noun);

template <std::integral Count>
std::string counted(Count count, std::string_view noun) {
    return counted(std::to_string(count), noun);
}

}  // namespace sluice
