#include "base/text/counted.hpp"

#include <fmt/format.h>

namespace sluice {

std::string counted(const std::string& digits, std::string_view noun) {
    const bool takes_es = noun.ends_with("s") || noun.ends_with("ch") || noun.ends_with("x");
    return fmt::format("{} {}{}", digits, noun, digits == "1" ? "" : takes_es ? "es" : "s");
}

}  // namespace sluice
