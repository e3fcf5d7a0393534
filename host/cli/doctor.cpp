#include <iostream>

#include "base/error.hpp"
#include "cli/health/health.hpp"
#include "cli/health/health_text.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"

namespace sluice::cli {

int doctor(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    bool json = false;
    po::options_description options("options");
    options.add_options()("json", po::bool_switch(&json), "print the report as JSON");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "doctor", options, values)) {
        return 0;
    }
    const registry::Registry registry = list_plugins(common);
    const Health health = examine(registry);
    std::cout << (json ? to_json(health) : to_text(health));
    return static_cast<int>(health.is_good() ? Exit::ok : Exit::device);
}

}  // namespace sluice::cli
