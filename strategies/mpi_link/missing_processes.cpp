#include "mpi_link/missing_processes.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

namespace sluice::mpi {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJob = "PMIX_NAMESPACE";
constexpr const char* kNumber = "PMIX_RANK";

std::string read(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// Finds a variable in an environment of the kernel's form, "A=1\0B=2\0".
std::optional<std::string_view> value_of(std::string_view environment, std::string_view name) {
    for (std::size_t at = 0; at < environment.size();) {
        const std::string_view variable = environment.substr(at, environment.find('\0', at) - at);
        if (variable.starts_with(name) && variable.substr(name.size()).starts_with("=")) {
            return variable.substr(name.size() + 1);
        }
        at += variable.size() + 1;
    }
    return std::nullopt;
}

int number_of(const char* variable) {
    const char* const text = std::getenv(variable);
    return text == nullptr ? 0 : std::atoi(text);
}

struct Neighbour {
    std::string pid;
    bool runs = false;  // this or another process of that rank
};

// Returns them by rank.
std::map<int, Neighbour> neighbours(std::string_view job) {
    std::map<int, Neighbour> found;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc", ignored)) {
        const std::string environment = read(entry.path() / "environ");
        const auto number = value_of(environment, kNumber);
        if (!number || value_of(environment, kJob) != job) {
            continue;
        }
        const std::string state = read(entry.path() / "stat");  // "4711 (name) T ..."
        const std::size_t at = state.rfind(") ");
        int which = 0;
        std::from_chars(number->data(), number->data() + number->size(), which);
        Neighbour& one = found[which];
        one.pid = entry.path().filename();
        one.runs = one.runs || (at != std::string::npos && state[at + 2] != 'T' && state[at + 2] != 'Z');
    }
    return found;
}

}  // namespace

std::string missing_processes() {
    const char* const job = std::getenv(kJob);
    if (job == nullptr) {
        return "the launcher knows which processes have started";
    }
    const std::map<int, Neighbour> here = neighbours(job);
    const int count = number_of("OMPI_COMM_WORLD_SIZE");
    std::string names;
    for (const auto& [number, one] : here) {
        if (!one.runs) {
            names += (names.empty() ? "" : "; ") + ("process " + std::to_string(number)) + " (pid " + one.pid +
                     ") on this machine is stopped or defunct";
        }
    }
    if (number_of("OMPI_COMM_WORLD_LOCAL_SIZE") == count) {  // all processes belong to this machine
        for (int number = 0; number < count; ++number) {
            if (!here.contains(number)) {
                names += (names.empty() ? "process " : "; process ") + std::to_string(number) + " is not running";
            }
        }
    }
    return names.empty() ? "the processes on this machine run; others may have exited, hang, or still prepare" : names;
}

}  // namespace sluice::mpi
