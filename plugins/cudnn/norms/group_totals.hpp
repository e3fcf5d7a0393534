// The launches between the passes of group_norm and instance_norm. They turn the sums of blocks into tables
// [samples, channels]. A part is a sample's group of neighbouring channels, over all rows.
#pragma once

#include "norms/tiles.hpp"

namespace sluice::cudnn {

struct GroupNumbers {
    std::uint32_t groups;
    const float* gamma;  // [channels]; NULL: 1
    const float* beta;   // NULL: 0
    double epsilon;
};

// Numbers of the part to which a channel belongs: y = x * factor + shift; inverse is 1 / deviation.
struct GroupTables {
    float* mean;
    float* inverse;
    float* factor;
    float* shift;
};
// Computes the tables from the moments of launch_statistics().
void launch_group_tables(void* stream, const Tiles& tiles, const float* moments, const GroupNumbers& numbers,
                         const GroupTables& to);

// The gradient of x is g * factor + x * slope + offset.
struct GroupGradients {
    const float* mean;
    const float* inverse;
    float* factor;
    float* slope;
    float* offset;
};
// Computes the tables from the sums of launch_sums().
void launch_group_gradients(void* stream, const Tiles& tiles, const float* sums, const GroupNumbers& numbers,
                            const GroupGradients& to);

// The gradients come from two sums [samples, blocks, 2, width]. beta gets the first. gamma gets the second, multiplied
// by `inverse` [samples, channels]; NULL: by 1.
struct ParameterGradients {
    const float* inverse;
    float* gamma;  // [channels]; NULL: not needed
    float* beta;
    bool adds;  // to the existing values
};
void launch_parameter_gradients(void* stream, const Tiles& tiles, const float* sums, const ParameterGradients& to);

}  // namespace sluice::cudnn
