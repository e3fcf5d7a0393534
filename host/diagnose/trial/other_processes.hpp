// Other processes that use the cores while trainings are measured.
#pragma once

#include <sys/types.h>

#include <map>
#include <vector>

#include "diagnose/evidence/facts.hpp"
#include "diagnose/trial/process_stat.hpp"

namespace sluice::diagnose {

class OtherProcesses {
public:
    // Begins to watch the machine.
    OtherProcesses();
    // Returns those that used more than a twentieth of a core since then, most first. This process, and those of the
    // sessions `own`, do not count.
    [[nodiscard]] std::vector<OtherProcess> found(const std::vector<pid_t>& own) const;

private:
    std::map<pid_t, ProcessStat> before_;
    double began_;
};

}  // namespace sluice::diagnose
