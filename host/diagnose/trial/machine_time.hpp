// How much CPU time the machine gave to all processes together.
#pragma once

namespace sluice::diagnose {

// Seconds since the machine started, summed over its cores.
struct MachineTime {
    double all = 0.0;
    double busy = 0.0;  // not idle; also what the host of a virtual machine took away
};

MachineTime read_machine_time();

}  // namespace sluice::diagnose
