// Readers of the tables of a pipeline, one function for each group. Internal to config.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "config/table_reader.hpp"

namespace sluice::config {

// [data], [data.train], [data.validation]
void read_data(TableReader& pipeline, PipelineSpec& spec);
// [model], [model.blocks.NAME]; the layers of blocks are read for each use with its arguments
void read_model(TableReader& pipeline, PipelineSpec& spec);
// [loss], [metrics], [optimizer], [schedule], [precision]; [loss] and [optimizer] may be absent if `trains` is false
void read_learning(TableReader& pipeline, PipelineSpec& spec, bool trains);
// [strategy], [device], [train], [evaluate], [observe], [checkpoint], [profile], [what_if]. Call it after
// read_learning(), because checkpoint.monitor names a metric.
void read_run(TableReader& pipeline, PipelineSpec& spec);

// Checks a list of layers: names are unique, and inputs exist. Throws Error(Exit::config).
void check_references(const std::vector<LayerSpec>& layers);

// Reads `use`, and all keys that are still unread as options.
ComponentSpec read_component(TableReader& table);
// Same with a default for `use`.
ComponentSpec read_component(TableReader& table, const std::string& fallback);
// Reads a key that holds one component or a list of them.
std::vector<ComponentSpec> read_components(TableReader& table, const std::string& key,
                                           const std::vector<std::string>& fallback);
// Reads `observe.use`: the same with the key `hold`.
std::vector<ObserverSpec> read_observers(TableReader& table);

// Throws if `monitor`, the value of that key, is neither "loss" nor one of the pipeline's metrics.
void check_monitored(const TableReader& table, const std::string& key, const std::string& monitor,
                     const PipelineSpec& spec);

// Reads a share of a whole: "5 %", or a number from 0 to 1.
double read_share(TableReader& table, const std::string& key, double fallback);
// Reads a length of the run: "1 epoch", "200 steps".
Interval read_interval(TableReader& table, const std::string& key, const std::string& fallback);

}  // namespace sluice::config
