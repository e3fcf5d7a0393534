// `[model] use = "resnet50"`: a model that is written in a file of its own.
#pragma once

#include "base/value.hpp"

namespace sluice::config {

// Replaces `use` of the table [model] by the content of the file that it names: an installed model, or a path relative
// to the file that has the key. The other keys of [model] override those of the file. `name` becomes the name of the
// file. Does nothing if there is no such key. Throws Error(Exit::config).
void expand_model(Table& pipeline);

}  // namespace sluice::config
