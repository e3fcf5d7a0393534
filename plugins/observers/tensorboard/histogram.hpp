// Counts the elements of a tensor in buckets of equal width.
#pragma once

#include <string>

#include "sluice/tensor.h"
#include "tensorboard/event_messages.hpp"

namespace sluice::observers::tensorboard {

// Counts finite elements only. Without any there are no buckets. Throws if the tensor is not float32; `name` is for the
// message.
std::vector<Bucket> buckets_of(const std::string& name, const sluice_tensor& tensor);

}  // namespace sluice::observers::tensorboard
