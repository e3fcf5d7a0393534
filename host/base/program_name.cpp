#include "base/program_name.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>

#include "base/files.hpp"

namespace sluice {

std::string_view program_name() {
    // Installed, it is called by its link, because `host` on the PATH is another program. mpirun starts the file
    // itself, so an existing link counts too.
    static const bool is_sluice = std::string_view(::program_invocation_short_name) == "sluice" ||
                                  std::filesystem::exists(executable_folder() / SLUICE_LINK);
    return is_sluice ? "sluice" : "host";
}

std::string typed(std::string_view command) { return fmt::format("`{} {}`", program_name(), command); }

}  // namespace sluice
