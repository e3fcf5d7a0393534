// A count with its noun, for messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sluice::shared_files {

// "1 line", "2 lines".
inline std::string counted(std::size_t count, std::string_view noun) {
    return std::to_string(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

}  // namespace sluice::shared_files
