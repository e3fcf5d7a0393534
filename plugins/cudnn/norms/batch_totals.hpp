// The launches between the passes of batch_norm. They turn the sums of blocks into tables of channels [C]. If the batch
// is that of all replicas, the sums first become joint sums, which the replicas all-reduce.
#pragma once

#include "norms/tiles.hpp"

namespace sluice::cudnn {

// y = x * factor + shift; inverse is 1 / deviation of the batch.
struct BatchTables {
    float* factor;
    float* shift;
    float* mean;  // this and `inverse`: in training only
    float* inverse;
};

struct BatchNumbers {
    const float* gamma;
    const float* beta;
    float* running_mean;
    float* running_variance;
    double epsilon;
    double momentum;
    // The bias that was not added to x, because batch_norm subtracts it. The running mean includes it. NULL: none.
    const float* bias = nullptr;
};

// Training: computes the tables from the moments of launch_statistics(), and updates the running mean and variance.
void launch_batch_tables(void* stream, const Tiles& tiles, const float* moments, const BatchNumbers& numbers,
                         const BatchTables& to);
// Does the same from sums [2, C] over all rows: of the numbers, and of their squares.
void launch_batch_tables_of_sums(void* stream, const Tiles& tiles, const float* sums, const BatchNumbers& numbers,
                                 const BatchTables& to);
// Joint sums are two sums for each channel, [2, C], and the number of rows that they cover.
constexpr std::uint64_t joint_count(std::uint64_t channels) { return 2 * channels + 1; }
// Write the joint sums of the numbers and of their squares, from moments and from sums [2, C].
void launch_joint_moments(void* stream, const Tiles& tiles, const float* moments, double* joint);
void launch_joint_sums(void* stream, const Tiles& tiles, const float* sums, double* joint);
void launch_batch_tables_of_joint(void* stream, const Tiles& tiles, const double* joint, const BatchNumbers& numbers,
                                  const BatchTables& to);
// Evaluation: computes the tables from the running mean and variance.
void launch_running_tables(void* stream, const Tiles& tiles, const BatchNumbers& numbers, const BatchTables& to);

// The gradient of x is g * factor + x * slope + offset.
struct InputTables {
    float* slope;  // NULL: not needed
    float* offset;
};
struct BatchGradients {
    float* gamma;  // NULL: not needed
    float* beta;
    bool adds;  // to the existing values
    InputTables input;
    float* bias = nullptr;    // the gradient of a bias that was skipped: 0
    double* joint = nullptr;  // written instead of `input`: sums of g, and of g * (x - mean)
};
void launch_batch_gradients(void* stream, const Tiles& tiles, const float* sums, const BatchTables& tables,
                            const BatchGradients& to);
void launch_input_tables(void* stream, const Tiles& tiles, const double* joint, const BatchTables& tables,
                         const InputTables& to);

}  // namespace sluice::cudnn
