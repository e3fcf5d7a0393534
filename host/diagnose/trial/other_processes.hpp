// Other processes that use the cores while a training is measured.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "diagnose/evidence/facts.hpp"

namespace sluice::diagnose {

class OtherProcesses {
public:
    // Begins to watch the machine. This process, and those of the session that `own` leads, do not count.
    explicit OtherProcesses(pid_t own);
    // Returns those that used more than a twentieth of a core since then, most first.
    [[nodiscard]] std::vector<OtherProcess> found() const;

private:
    struct Used {
        std::string name;
        double seconds = 0.0;  // of CPU time
    };
    [[nodiscard]] std::map<std::int64_t, Used> read() const;

    pid_t own_;
    std::map<std::int64_t, Used> before_;
    double began_;
};

}  // namespace sluice::diagnose
