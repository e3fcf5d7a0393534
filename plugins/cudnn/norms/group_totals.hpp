// Between the passes of group_norm and instance_norm: what blocks have added up becomes tables [samples, channels].
// A part is a sample's group of neighbouring channels, over all rows.
#pragma once

#include "norms/tiles.hpp"

namespace sluice::cudnn {

struct GroupNumbers {
    std::uint32_t groups;
    const float* gamma;  // [channels]; NULL: 1
    const float* beta;   // NULL: 0
    double epsilon;
};

// Of the part that the channel is in: y = x * factor + shift; inverse is 1 / deviation.
struct GroupTables {
    float* mean;
    float* inverse;
    float* factor;
    float* shift;
};
// From moments of launch_statistics.
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
// From sums of launch_sums.
void launch_group_gradients(void* stream, const Tiles& tiles, const float* sums, const GroupNumbers& numbers,
                            const GroupGradients& to);

// From sums [samples, blocks, 2, width] of g and of g times something, that times `inverse`: [samples, channels]; NULL:
// times 1.
struct ParameterGradients {
    const float* inverse;
    float* gamma;  // [channels]; NULL: not wanted
    float* beta;
    bool adds;  // to what is there
};
void launch_parameter_gradients(void* stream, const Tiles& tiles, const float* sums, const ParameterGradients& to);

}  // namespace sluice::cudnn
