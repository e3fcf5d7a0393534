// A damaged file. The message names the file, the position, what was found and what was expected.
#pragma once

#include <stdexcept>

namespace sluice::records {

class Damage : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace sluice::records
