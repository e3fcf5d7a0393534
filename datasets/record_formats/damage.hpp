// What is wrong with a file, in words: the file, the place, what was found and what would be right.
#pragma once

#include <stdexcept>

namespace sluice::records {

class Damage : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace sluice::records
