// Between the passes of batch_norm: what blocks have added up becomes tables of channels [C]; where the batch is that
// of all replicas, by way of joint sums, which they add up.
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
// Two sums of each channel [2, C], and the rows that they are of.
constexpr std::uint64_t joint_count(std::uint64_t channels) { return 2 * channels + 1; }
// Of the numbers, and of their squares: from moments, and from sums [2, C].
void launch_joint_moments(void* stream, const Tiles& tiles, const float* moments, double* joint);
void launch_joint_sums(void* stream, const Tiles& tiles, const float* sums, double* joint);
void launch_batch_tables_of_joint(void* stream, const Tiles& tiles, const double* joint, const BatchNumbers& numbers,
                                  const BatchTables& to);
// Evaluation: from the running ones.
void launch_running_tables(void* stream, const Tiles& tiles, const BatchNumbers& numbers, const BatchTables& to);

// The gradient of x is g * factor + x * slope + offset.
struct InputTables {
    float* slope;  // NULL: not wanted
    float* offset;
};
struct BatchGradients {
    float* gamma;  // NULL: not wanted
    float* beta;
    bool adds;  // to what is there
    InputTables input;
    float* bias = nullptr;    // of one that was left out: 0
    double* joint = nullptr;  // is made in place of `input`: sums of g, and of g * (x - mean)
};
void launch_batch_gradients(void* stream, const Tiles& tiles, const float* sums, const BatchTables& tables,
                            const BatchGradients& to);
void launch_input_tables(void* stream, const Tiles& tiles, const double* joint, const BatchTables& tables,
                         const InputTables& to);

}  // namespace sluice::cudnn
