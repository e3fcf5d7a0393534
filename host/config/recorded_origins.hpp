// Origins of the values of a pipeline whose text has lost them. Checkpoints store the pipeline without origins, but the
// resolved.toml of their run has them.
#pragma once

#include <map>
#include <string>

namespace sluice::config {

struct RecordedOrigins {
    std::string file;                  // name of the text in the origins of its values
    std::map<int, std::string> lines;  // origin by line of that text, from 1: "deblur.toml:14:3"
};

// Returns the origins for the lines of `plain`, a text of to_pipeline_toml() without comments. They come from equal
// lines in the same tables of `commented`, such a text with comments.
RecordedOrigins recorded_origins(const std::string& file, const std::string& plain, const std::string& commented);

}  // namespace sluice::config
