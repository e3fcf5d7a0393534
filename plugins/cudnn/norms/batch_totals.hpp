// Between the passes of batch_norm: what blocks have added up becomes tables of channels [C].
#pragma once

#include "norms/tiles.hpp"

namespace sluice::cudnn {

// y = x * factor + shift; inverse is 1 / deviation of the batch.
struct BatchTables {
    float* factor;
    float* shift;
    float* mean;  // this and the next in training only
    float* inverse;
};

struct BatchNumbers {
    const float* gamma;
    const float* beta;
    float* running_mean;
    float* running_variance;
    double epsilon;
    double momentum;
    // That was left out of x: batch_norm takes it away again, but the running mean has it. NULL: none was.
    const float* bias = nullptr;
};

// Training: from moments of launch_statistics; moves the running ones.
void launch_batch_tables(void* stream, const Tiles& tiles, const float* moments, const BatchNumbers& numbers,
                         const BatchTables& to);
// The same from sums [2, C] of all rows: of the numbers, and of their squares.
void launch_batch_tables_of_sums(void* stream, const Tiles& tiles, const float* sums, const BatchNumbers& numbers,
                                 const BatchTables& to);
// Evaluation: from the running ones.
void launch_running_tables(void* stream, const Tiles& tiles, const BatchNumbers& numbers, const BatchTables& to);

// The gradient of x is g * factor + x * slope + offset.
struct BatchGradients {
    float* gamma;  // NULL: not wanted
    float* beta;
    bool adds;     // to what is there
    float* slope;  // NULL: not wanted
    float* offset;
    float* bias = nullptr;  // of one that was left out: 0
};
void launch_batch_gradients(void* stream, const Tiles& tiles, const float* sums, const BatchTables& tables,
                            const BatchGradients& to);

}  // namespace sluice::cudnn
