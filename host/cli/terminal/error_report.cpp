#include "cli/terminal/error_report.hpp"

#include "base/log.hpp"
#include "launch/launcher_connection.hpp"

namespace sluice::cli {

void report_error(const std::string& error) {
    launch::LauncherConnection* const launcher = launch::own_connection();
    if (launcher == nullptr || !launcher->hand_over(error)) {
        log::error(error);
    }
}

}  // namespace sluice::cli
