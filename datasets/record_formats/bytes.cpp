#include "bytes.hpp"

#include <array>
#include <cstdio>

namespace sluice::records {

std::string hexadecimal(std::uint64_t number) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(number));
    return text.data();
}

std::uint64_t byte_count(const sluice_tensor_spec& spec) {
    std::uint64_t count = spec.dtype.bits / 8U;
    for (std::int32_t i = 0; i < spec.rank; ++i) {
        count *= static_cast<std::uint64_t>(spec.shape[i]);
    }
    return count;
}

}  // namespace sluice::records
