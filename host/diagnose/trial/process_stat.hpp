// What the kernel knows about the processes of this machine.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>

namespace sluice::diagnose {

struct ProcessStat {
    std::string name;
    pid_t session = 0;
    double seconds = 0.0;  // of CPU time
};

// CPU time of this process and of the leader of a session, or of all its processes, for which all of the machine are
// read.
double own_seconds(pid_t session, bool has_several);

// All processes that can be read, by their number.
std::map<pid_t, ProcessStat> all_processes();

}  // namespace sluice::diagnose
