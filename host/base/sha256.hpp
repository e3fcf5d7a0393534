// SHA-256, all at once or part by part.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    void add(std::span<const std::uint8_t> part);
    // Returns 64 hexadecimal digits. Nothing may be added after it.
    std::string finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Hashes the parts in order and returns 64 hexadecimal digits.
std::string sha256(std::span<const std::string_view> parts);

}  // namespace sluice
