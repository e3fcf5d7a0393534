#include "cli/stream_option.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace sluice::cli {

const config::StreamSpec& data_named(const config::PipelineSpec& spec, const std::string& name) {
    if (name == "train") {
        return spec.data.train;
    }
    if (name != "validation") {
        throw Error(Exit::config, fmt::format("--data is '{}'; it is train or validation", name));
    }
    if (!spec.data.validation) {
        throw Error(Exit::config, fmt::format("pipeline '{}' has no [data.validation]", spec.name));
    }
    return *spec.data.validation;
}

}  // namespace sluice::cli
