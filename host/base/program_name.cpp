#include "base/program_name.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>

#include "base/files.hpp"

namespace sluice {

std::string_view program_name() {
    // Installed, its link is on the path, and `host` there is another program; mpirun starts it by its file.
    static const bool is_sluice = std::string_view(::program_invocation_short_name) == "sluice" ||
                                  std::filesystem::exists(executable_folder() / SLUICE_LINK);
    return is_sluice ? "sluice" : "host";
}

std::string typed(std::string_view command) { return fmt::format("`{} {}`", program_name(), command); }

}  // namespace sluice
