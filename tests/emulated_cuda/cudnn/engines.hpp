// The engines with which the emulation computes a graph. Like cuDNN's, they differ in their guarantees and their needs.
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
    summing       // the only one with sums of channels, for float16 only
};

// How an engine fails. Except for `making`, its plan can be made.
enum class Fault {
    executing,      // fails each time it is enqueued
    recording,      // fails if the stream is being captured
    device_memory,  // finds no device memory when it is enqueued
    host_memory,    // finds no host memory when it is enqueued
    uneven_zeros,   // computes wrong numbers if x has more zeros on one side, as engines of cuDNN 9.19 do
    making          // its plan finds no device memory
};

// A test's requests to the engines, and their counts for it.
struct Trials {
    std::map<EngineNumber, Fault> faults;
    unsigned made = 0;      // plans
    unsigned executed = 0;  // enqueued on a stream, or captured
    unsigned computed = 0;
};
Trials& trials();

struct Configuration {
    EngineNumber engine;
    std::vector<std::pair<cudnnBackendKnobType_t, std::int64_t>> knobs;
};

// Throws Failure if there is no such engine or it cannot compute the graph.
EngineNumber find_engine(std::int64_t index, const Graph& graph);
std::span<const cudnnBackendNumericalNote_t> notes_of(EngineNumber engine);
// Throws Failure if the engine does not know the knob or the value.
void expect_knob(EngineNumber engine, std::int64_t type, std::int64_t value);
std::int64_t workspace_of(EngineNumber engine, const Graph& graph);
// Returns configurations, best first.
std::vector<Configuration> propose(const Graph& graph, cudnnBackendHeurMode_t mode);

}  // namespace emulated::dnn
