// Decides which of many large things are written, such as pictures. All are until their sizes reach a budget, then
// every second one until half of the budget more is used, then every fourth, and so on.
#pragma once

#include <cstdint>

namespace sluice::observers {

class Thinner {
public:
    explicit Thinner(std::uint64_t budget) : half_(budget / 2), left_(budget) {}
    // Counts one thing. Returns true if it is to be written; tell its size to used() then.
    bool take() { return count_++ % stride_ == 0; }
    void used(std::uint64_t size) {
        if (size >= left_) {
            stride_ *= 2;
            left_ = half_;
        } else {
            left_ -= size;
        }
    }

private:
    std::uint64_t half_;
    std::uint64_t left_;
    std::uint64_t stride_ = 1;
    std::uint64_t count_ = 0;
};

}  // namespace sluice::observers
