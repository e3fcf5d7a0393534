/* sluice/kind/layer.h - the type of a layer: what it means. Its arithmetic on a device is that of kernels.
 *
 * Three roles share the interface. A layer maps tensors to tensors. A loss maps (prediction, target) to one tensor
 * [N, 2] float32: the sum of the loss over each sample and the weight (count of terms) of that sample. Training
 * minimises sum / weight of the whole batch, so partial batches, ignored labels and replicas are exact. A metric maps
 * (prediction, target) to [N, K] float32 accumulators; the host adds them over samples, batches and replicas in
 * float64, and finalize() turns the K sums into one number.
 *
 * A type never changes its meaning, the order of its parameters and states, or its random draws. New options are
 * allowed if their default changes nothing. */
#ifndef SLUICE_KIND_LAYER_H
#define SLUICE_KIND_LAYER_H

#include "sluice/host.h"
#include "sluice/options.h"
#include "sluice/tensor.h"

SLUICE_EXTERN_C_BEGIN

enum { SLUICE_ROLE_LAYER = 0, SLUICE_ROLE_LOSS = 1, SLUICE_ROLE_METRIC = 2 };

/* How a precision policy may treat the layer: allow = gains from fewer bits; infer = follows its inputs; deny = needs
 * float32; clear = no arithmetic, any type will do. */
enum { SLUICE_COLOUR_INFER = 0, SLUICE_COLOUR_ALLOW = 1, SLUICE_COLOUR_DENY = 2, SLUICE_COLOUR_CLEAR = 3 };

enum {
    SLUICE_LAYER_RANDOM = 1,           /* draws random numbers in training                                   */
    SLUICE_LAYER_IDENTITY_IN_EVAL = 2, /* in evaluation its output is its input: the plan omits it           */
    SLUICE_LAYER_NO_GRADIENT = 4,      /* no gradient flows through it: it has no backward                   */
    SLUICE_LAYER_HIGHER_IS_BETTER = 8, /* metrics: "best" means largest                                      */
    SLUICE_LAYER_IGNORES_LABEL = 16,   /* ignored_label is set                                               */
    SLUICE_LAYER_JOINS_REPLICAS = 32   /* its kernels call launch.replicas->sum in training: its outputs
                                          depend on the samples of all replicas                              */
};

typedef struct sluice_layer_traits {
    uint64_t struct_size;
    int32_t role;
    int32_t colour;
    uint32_t flags;
    uint32_t min_inputs;
    uint32_t max_inputs; /* at most 64 */
    uint32_t reserved;
    /* Bit i: if input i has an integer type, it holds class numbers. The host checks those of the data before the layer
     * sees them: each is at least 0 and less than label_classes, or is ignored_label. */
    uint64_t label_inputs;
    int64_t label_classes; /* 0: as many as the last extent of input 0 */
    int64_t ignored_label; /* with SLUICE_LAYER_IGNORES_LABEL */
} sluice_layer_traits;

/* How the host fills a parameter before training, with a generator keyed by the seed and the parameter's path. */
enum {
    SLUICE_INIT_ZEROS = 0,
    SLUICE_INIT_ONES = 1,
    SLUICE_INIT_CONSTANT = 2,       /* argument */
    SLUICE_INIT_NORMAL = 3,         /* mean 0, standard deviation = argument */
    SLUICE_INIT_UNIFORM = 4,        /* in [-argument, argument) */
    SLUICE_INIT_GLOROT_UNIFORM = 5, /* in +-sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio, 2010) */
    SLUICE_INIT_GLOROT_NORMAL = 6,  /* deviation sqrt(2 / (fan_in + fan_out)) */
    SLUICE_INIT_HE_UNIFORM = 7,     /* in +-sqrt(6 / fan_in) (He et al., 2015) */
    SLUICE_INIT_HE_NORMAL = 8       /* deviation sqrt(2 / fan_in) */
};

/* A trained tensor, float32, in its canonical layout; convolution weights are [out, height, width, in]. */
typedef struct sluice_parameter {
    sluice_text name; /* "kernel", "bias": unique within the layer */
    sluice_tensor_spec spec;
    int32_t initializer;
    int32_t reserved;
    double argument;
    int64_t fan_in;
    int64_t fan_out;
} sluice_parameter;

/* A tensor that forward updates in training and reads in evaluation: running statistics, float32. If there are several
 * replicas, the host replaces it by the mean over the replicas after each step. So it must be something that can be
 * averaged, such as a mean or a variance, not a count or a maximum. */
typedef struct sluice_layer_state {
    sluice_text name;
    sluice_tensor_spec spec;
    double initial;
} sluice_layer_state;

/* infer() reports here; the host copies everything. */
typedef struct sluice_layer_sink {
    uint64_t struct_size;
    void *impl;
    void (*add_output)(const struct sluice_layer_sink *sink, const sluice_tensor_spec *spec) SLUICE_NOEXCEPT;
    void (*add_parameter)(const struct sluice_layer_sink *sink, const sluice_parameter *parameter) SLUICE_NOEXCEPT;
    void (*add_state)(const struct sluice_layer_sink *sink, const sluice_layer_state *state) SLUICE_NOEXCEPT;
    /* Floating-point operations of forward; a multiply and an add count as two. By convention only convolutions and
     * matrix products count; a layer without them does not call it. */
    void (*set_flops)(const struct sluice_layer_sink *sink, double forward) SLUICE_NOEXCEPT;
} sluice_layer_sink;

#define SLUICE_LAYER_V1 "sluice.layer/1"
typedef struct sluice_layer {
    /* Creates one layer of the pipeline. The plugin owns *self until destroy. [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, void **self, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* Fills *traits up to its struct_size. [any] */
    sluice_status (*traits)(void *self, sluice_layer_traits *traits, sluice_error *error) SLUICE_NOEXCEPT;
    /* Checks the inputs and reports outputs, parameters, states and cost. Extents are at least 1, or -1 if they differ
     * per sample. Numbers are float32 here; a precision policy decides later how they are stored. The message of
     * SLUICE_INVALID names the wrong input and what would be right. [any] */
    sluice_status (*infer)(void *self, const sluice_tensor_spec *inputs, uint32_t count, const sluice_layer_sink *sink,
                           sluice_error *error) SLUICE_NOEXCEPT;
    /* Metrics: turns the K sums of all samples into one number. NULL for other roles. [any] */
    sluice_status (*finalize)(void *self, const double *sums, uint32_t count, double *value, sluice_error *error)
        SLUICE_NOEXCEPT;
} sluice_layer;

SLUICE_EXTERN_C_END
#endif
