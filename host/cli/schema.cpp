#include <iostream>

#include "cli/schema/pipeline_schema.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"

namespace sluice::cli {

int schema(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    po::options_description options("options");
    add_common(options, common);
    po::variables_map values;
    if (parse(arguments, "schema", options, values)) {
        std::cout << pipeline_schema(list_plugins(common)).dump(1) << "\n";
    }
    return 0;
}

}  // namespace sluice::cli
