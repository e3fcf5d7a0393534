// Where values of a pipeline came from before its text was carried on without that: a run's resolved.toml knows it of
// the values in its checkpoints.
#pragma once

#include <map>
#include <string>

namespace sluice::config {

struct RecordedOrigins {
    std::string file;                  // the name that stands for the text in the origins of its values
    std::map<int, std::string> lines;  // by line of that text, from 1: "deblur.toml:14:3"
};

// Of `plain`, a text of to_pipeline_toml() without comments, as far as `commented`, one with them, has the same lines
// in the same tables.
RecordedOrigins recorded_origins(const std::string& file, const std::string& plain, const std::string& commented);

}  // namespace sluice::config
