// Weights of samples, as files contain them.
#pragma once

#include <span>
#include <string>

namespace sluice::records {

bool is_weight(double number);

// Throws SLUICE_BAD_SAMPLE. `place`: "a.tfrecord, record 7 at byte 1200: feature 'weight'".
[[noreturn]] void refuse_weight(double number, const std::string& place);

// Replaces NaN, the weight of an unreadable sample, by the mean of the others (1 if there is none), so that the sample
// is drawn and reading it reports the error.
void fill_unknown(std::span<double> weights);

}  // namespace sluice::records
