// The ways in which the emulation computes a graph. They differ in what they promise and need, as cuDNN's do.
#pragma once

#include <map>
#include <span>
#include <utility>

#include "graph.hpp"

namespace emulated::dnn {

enum class EngineNumber : std::int64_t {
    plain,        // all bits of float32, no workspace
    tensor_core,  // float32 factors rounded to 11 bits; needs workspace
    scattered,    // sums in no fixed order: bits change from run to run; gradients only
    fused,        // the only one with operations on elements; rounds as tensor_core does
    summing       // the only one with sums of channels, of float16 alone
};

// What an engine does wrong. All but the last although its plan could be made.
enum class Fault {
    executing,      // fails each time that it is to be put on a stream
    recording,      // fails where the stream is recorded
    device_memory,  // finds none when it is to be put on a stream
    host_memory,    // likewise
    uneven_zeros,   // computes wrong numbers where there are more zeros on one side of x, as engines of cuDNN 9.19 do
    making          // its plan finds no memory of the device
};

// What a test asks of the engines, and sees of them.
struct Trials {
    std::map<EngineNumber, Fault> faults;
    unsigned made = 0;      // plans
    unsigned executed = 0;  // put on a stream, or into its recording
    unsigned computed = 0;
};
Trials& trials();

struct Configuration {
    EngineNumber engine;
    std::vector<std::pair<cudnnBackendKnobType_t, std::int64_t>> knobs;
};

// Throws Failure where there is no such engine, or it cannot compute the graph.
EngineNumber find_engine(std::int64_t index, const Graph& graph);
std::span<const cudnnBackendNumericalNote_t> notes_of(EngineNumber engine);
// Throws Failure where the engine does not know the knob or the value.
void expect_knob(EngineNumber engine, std::int64_t type, std::int64_t value);
std::int64_t workspace_of(EngineNumber engine, const Graph& graph);
// Best first.
std::vector<Configuration> propose(const Graph& graph, cudnnBackendHeurMode_t mode);

}  // namespace emulated::dnn
