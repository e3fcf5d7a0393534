// The tables of a pipeline, each group read by one function into its part of the spec. Internal to config.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "config/table_reader.hpp"

namespace sluice::config {

// [data], [data.train], [data.validation]
void read_data(TableReader& pipeline, PipelineSpec& spec);
// [model], [model.blocks.NAME]
void read_model(TableReader& pipeline, PipelineSpec& spec);
// [loss], [metrics], [optimizer], [schedule], [precision]; the first and the third may be absent where nothing is
// trained
void read_learning(TableReader& pipeline, PipelineSpec& spec, bool trains);
// [strategy], [device], [train], [evaluate], [observe], [checkpoint]; after read_learning, for checkpoint.monitor
void read_run(TableReader& pipeline, PipelineSpec& spec);

// Names, references and blocks of a model that was read: unique, existing, no block within itself.
void check_model(const ModelSpec& model);

// `use` and, of the keys that are still unread, all others.
ComponentSpec read_component(TableReader& table);
// The same where the host has a default for `use`.
ComponentSpec read_component(TableReader& table, const std::string& fallback);
// A key that holds one component or a list of them.
std::vector<ComponentSpec> read_components(TableReader& table, const std::string& key,
                                           const std::vector<std::string>& fallback);

// Throws where `monitor` under that key is neither "loss" nor one of the pipeline's metrics.
void check_monitored(const TableReader& table, const std::string& key, const std::string& monitor,
                     const PipelineSpec& spec);

// A share of a whole: "5 %", or a number from 0 to 1.
double read_share(TableReader& table, const std::string& key, double fallback);
// A length of the run: "1 epoch", "200 steps".
Interval read_interval(TableReader& table, const std::string& key, const std::string& fallback);

}  // namespace sluice::config
