// Recorded windows as profiles that XProf opens.
#include "xprof/xprof.hpp"

#include <unistd.h>

#include <climits>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "profile/labels.hpp"
#include "xprof/device_plane.hpp"
#include "xprof/host_plane.hpp"
#include "xprof/memory_line.hpp"
#include "xprof/xspace.hpp"

namespace sluice::observers {
namespace {

std::string host_name() {
    char name[HOST_NAME_MAX + 1] = {};
    return ::gethostname(name, sizeof(name) - 1) == 0 && name[0] != '\0' ? name : "localhost";
}

// XProf keeps what it found in a window's folder. A window that is recorded again, after a resume, gets another folder.
std::filesystem::path new_file(const std::filesystem::path& folder, const std::string& file) {
    std::filesystem::path path = folder / file;
    std::error_code ignored;
    for (int i = 2; std::filesystem::exists(path, ignored); ++i) {
        path = folder.string() + "-" + std::to_string(i) + "/" + file;
    }
    return path;
}

}  // namespace

Xprof::Xprof(sdk::Host, sdk::Options) {}

void Xprof::add(const Window& window, const std::filesystem::path& run_folder, WaitingFiles& files) {
    const bool is_alone = window.head().ranks <= 1;
    const std::string host = is_alone ? host_name() : "rank-" + std::to_string(window.head().rank);
    files.add(new_file(run_folder / "plugins" / "profile" / window_name(window), host + ".xplane.pb"),
              xplane_file(window, host));
}

std::string xplane_file(const Window& window, std::string_view host) {
    std::vector<XPlane> planes;
    planes.push_back(host_plane(window));
    for (const std::uint32_t device : window.devices()) {
        planes.push_back(device_plane(window, device));
    }
    if (XPlane counters = counter_plane(window); !counters.lines.front().events.empty()) {
        planes.push_back(std::move(counters));
    }
    return xspace(std::move(planes), host);
}

}  // namespace sluice::observers
