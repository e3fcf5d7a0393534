// Weights of samples, as files tell them.
#pragma once

#include <span>
#include <string>

namespace sluice::records {

bool is_weight(double number);

// Throws SLUICE_BAD_SAMPLE. `place`: "a.tfrecord, record 7 at byte 1200: feature 'weight'".
[[noreturn]] void refuse_weight(double number, const std::string& place);

// Gives those that are NaN, because they cannot be read, the mean of the others (1 where there is none), so that their
// turn comes and reading them says what is wrong.
void fill_unknown(std::span<double> weights);

}  // namespace sluice::records
