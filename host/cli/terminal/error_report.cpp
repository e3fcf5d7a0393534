#include "cli/terminal/error_report.hpp"

#include "base/log.hpp"
#include "launch/launcher_connection.hpp"

namespace sluice::cli {

void report_error(const std::string& error) {
    launch::LauncherConnection* const member = launch::member();
    if (member == nullptr || !member->hand_over(error)) {
        log::error(error);
    }
}

}  // namespace sluice::cli
