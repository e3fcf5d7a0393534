/* sluice/kind/kernel.h - how one device computes layers, forward and backward.
 *
 * The host asks a provider for chains: nodes of which each feeds only the next. It asks for the longest chain first; a
 * chain that no provider claims runs node by node. Forward and backward of a chain come from one provider.
 * The host owns all memory: it lays out what plan() asked for and passes pointers to each launch.
 * On a device with captured graphs, launches of a training step are captured and replayed: forward and backward put
 * work on the stream, and neither wait for it nor read what it computes. The first launch of a kernel is never
 * captured. If a launch cannot be captured, it fails during the capture, and later steps run without a graph. */
#ifndef SLUICE_KIND_KERNEL_H
#define SLUICE_KIND_KERNEL_H

#include "sluice/host.h"
#include "sluice/options.h"
#include "sluice/random.h"
#include "sluice/tensor.h"

SLUICE_EXTERN_C_BEGIN

enum {
    SLUICE_NODE_TRAIN = 1,        /* training mode; backward follows if a gradient is wanted */
    SLUICE_NODE_DETERMINISTIC = 2 /* the same inputs must give the same bits */
};

/* One layer of the graph, as the plan fixed it. options are complete. An option that a later version of the layer's
 * type added (`since` in its manifest) has its default, which changes nothing, unless the kernel's manifest says that
 * it knows the option. The kernel is not asked for other nodes. */
typedef struct sluice_node {
    uint64_t struct_size;
    sluice_text type; /* "conv2d" */
    sluice_text path; /* "residual/2/conv2d": for messages */
    const sluice_value *options;
    const sluice_tensor_spec *inputs;
    const sluice_tensor_spec *outputs;
    const sluice_tensor_spec *parameters;
    const sluice_tensor_spec *states;
    uint32_t input_count;
    uint32_t output_count;
    uint32_t parameter_count;
    uint32_t state_count;
    uint64_t wanted_gradients;     /* bit i: the gradient of input i is wanted */
    uint64_t accumulated_gradients; /* bit i: it is added to the memory's contents instead of overwriting them */
    int32_t chained_input;         /* the input that the node before it in the chain feeds; -1 for the first node */
    uint32_t flags;
    sluice_dtype compute;    /* type of the arithmetic's operands */
    sluice_dtype accumulate; /* type of its sums */
} sluice_node;

/* plan() states the kernel's needs here. Indices are those of the launch's arrays (see sluice_launch), which are at
 * most 64 long. */
typedef struct sluice_kernel_sink {
    uint64_t struct_size;
    void *impl;
    const sluice_threads *threads; /* those of the launches, for measuring; NULL on devices other than the CPU */
    uint32_t may_measure;          /* 0: without a recalled choice, plan() chooses without running anything */
    uint32_t reserved;
    /* Asks for memory that forward writes and backward of the same step reads. The order of calls gives the index in
     * launch.saved. */
    void (*add_saved)(const struct sluice_kernel_sink *sink, uint64_t bytes) SLUICE_NOEXCEPT;
    /* Asks for scratch memory of one call: the larger need of forward and backward. */
    void (*set_workspace)(const struct sluice_kernel_sink *sink, uint64_t bytes) SLUICE_NOEXCEPT;
    /* Backward reads input or output number `index`; others may be overwritten before backward. */
    void (*backward_reads_input)(const struct sluice_kernel_sink *sink, uint32_t index) SLUICE_NOEXCEPT;
    void (*backward_reads_output)(const struct sluice_kernel_sink *sink, uint32_t index) SLUICE_NOEXCEPT;
    /* Names the algorithm in a few words, for the plan's listing: "brgconv:avx512_core, blocked weights". Copied. */
    void (*set_note)(const struct sluice_kernel_sink *sink, sluice_text note) SLUICE_NOEXCEPT;
    /* Forward computes the same if output `output` uses the memory of input `input`, which has as many bytes. The host
     * decides for each launch, for one input of an output, and never if backward reads the input. */
    void (*may_overwrite)(const struct sluice_kernel_sink *sink, uint32_t input, uint32_t output) SLUICE_NOEXCEPT;
    /* The same for backward: the gradient of input `input` may use the memory of the gradient of output `output`. The
     * host never does so if the gradient is added to the memory's contents. */
    void (*may_overwrite_gradient)(const struct sluice_kernel_sink *sink, uint32_t output, uint32_t input)
        SLUICE_NOEXCEPT;
    /* Returns the choice that an earlier plan() remembered under this key; empty: none. Valid until plan() returns. A
     * key contains all that the choice depends on: shapes, types, version of the library, CPU, threads. A choice may
     * come from a file: if the kernel does not know it, it measures again. */
    sluice_text (*recall)(const struct sluice_kernel_sink *sink, sluice_text key) SLUICE_NOEXCEPT;
    /* Stores a measured choice in the run's checkpoints, so that a resumed run computes the same bits, and in the
     * tuning cache on disk for other runs. Key and choice are printable text without tabs, not empty. Copied. */
    void (*remember)(const struct sluice_kernel_sink *sink, sluice_text key, sluice_text choice) SLUICE_NOEXCEPT;
    /* Reports that forward or backward multiplies in another type than the node asks for, and rounds what it stores. If
     * only one of them does, the note names it. The plan shows both types. */
    void (*computes_in)(const struct sluice_kernel_sink *sink, sluice_dtype dtype) SLUICE_NOEXCEPT;
    /* Asks for parameters rounded to this type as well, in launch.rounded_parameters: float16 or bfloat16, one type for
     * each kernel. The host rounds all parameters in one pass after each update. */
    void (*reads_rounded_parameters)(const struct sluice_kernel_sink *sink, sluice_dtype dtype) SLUICE_NOEXCEPT;
    /* Reports the floating-point operations that forward and backward really do, for reports of speed: Winograd does
     * fewer than the layers define. A negative number means as defined, like no call. */
    void (*set_arithmetic)(const struct sluice_kernel_sink *sink, double forward, double backward) SLUICE_NOEXCEPT;
} sluice_kernel_sink;

/* The values that change from step to step. They lie in device memory, so that a replayed step reads the new ones. */
typedef struct sluice_step_scalars {
    double rate;             /* learning rate of this step */
    double gradient_scale;   /* the optimizer multiplies gradients by it: 1 / (weight of the batch * loss_seed) */
    double loss_seed;        /* a loss multiplies its derivative by it, which keeps gradients in range */
    uint64_t step;           /* of the optimizer, from 1 */
    uint64_t random_counter; /* counter of the step's random keys */
    uint32_t skip;           /* 1: the optimizer changes nothing */
    uint32_t reserved_flags;
    uint64_t reserved[10];
} sluice_step_scalars;

/* The replicas of a training, for launches of layers with SLUICE_LAYER_JOINS_REPLICAS. */
typedef struct sluice_replicas {
    uint64_t struct_size;
    void *impl;
    /* All-reduces `count` values in device memory: each becomes the sum over all replicas. Every replica calls it in
     * the same launches in the same order. Replicas may have different numbers of samples, so one of the values should
     * be the count of rows. On a CPU the sums are ready when it returns, elsewhere when the launch's stream reaches
     * this point. name is lent, for messages. If it fails, the launch returns its status and message. [enqueue] */
    sluice_status (*sum)(const struct sluice_replicas *replicas, double *values, uint64_t count, sluice_text name,
                         sluice_error *error) SLUICE_NOEXCEPT;
} sluice_replicas;

/* One call of forward or backward. Tensors are dense, have the specs given to plan(), and are aligned as the device's
 * blocks are, to 64 bytes at least. Arrays follow the order of the chain: inputs are those from outside the chain,
 * outputs those of its last node, parameters and states those of all nodes. Gradient arrays have the order of their
 * tensors; an entry is NULL if the gradient is not wanted. Forward gets no gradients. A loss gets no gradients of its
 * outputs (NULL entries): its backward writes the derivative of the sum of the loss over all samples, times
 * scalars->loss_seed. In training, outputs do not depend on states: forward of a step may run again during backward,
 * with scratch memory instead of the states. */
typedef struct sluice_launch {
    uint64_t struct_size;
    const void *const *inputs;  /* backward: NULL entries unless plan() said that it reads them */
    void *const *outputs;       /* likewise */
    const void *const *parameters;
    void *const *states;
    void *const *saved;
    const void *const *output_gradients;
    void *const *input_gradients;
    void *const *parameter_gradients; /* float32, canonical layout */
    void *workspace;
    void *stream; /* native handle, NULL on a CPU */
    const sluice_step_scalars *scalars; /* device memory */
    const sluice_threads *threads;      /* NULL on devices other than the CPU */
    uint64_t random_seed;   /* with random_stream and scalars->random_counter: the node's random key */
    uint64_t random_stream; /* of the chain's first node; node i of the chain uses random_stream + i */
    uint32_t accumulate_parameters; /* 1: parameter gradients are added to the memory's contents */
    /* Changes when parameters change, and the states that evaluation reads: anything derived from another version is
     * stale. A launch of a training step may be captured and replayed for other versions, so it derives what it needs
     * from the parameters each time. */
    uint32_t parameters_version;
    const void *const *rounded_parameters; /* as parameters, in the requested type; NULL if none was requested */
    const sluice_replicas *replicas;       /* NULL: there is only one */
} sluice_launch;

#define SLUICE_KERNEL_V1 "sluice.kernel/1"
typedef struct sluice_kernel {
    /* Creates a provider for one opened device. The plugin owns *self until destroy. [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, sluice_device_ref device, void **self,
                            sluice_error *error) SLUICE_NOEXCEPT;
    /* Called after each of its kernels was released. [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* chain[i] is node i. SLUICE_OK claims the chain. SLUICE_UNSUPPORTED declines it, with the reason in
     * error->message, also if a flag or an element type is unknown. It is called often, so it is cheap and does not
     * call the host. [any] */
    sluice_status (*supports)(void *self, const sluice_node *const *chain, uint32_t count, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* Prepares a kernel for a claimed chain: chooses algorithms and states the needs to the sink. The plugin owns
     * *kernel until release. chain does not outlive the call. Calls of one provider and of all its kernels are serial.
     * [serial] */
    sluice_status (*plan)(void *self, const sluice_node *const *chain, uint32_t count, const sluice_kernel_sink *sink,
                          void **kernel, sluice_error *error) SLUICE_NOEXCEPT;
    /* [serial] */
    void (*release)(void *self, void *kernel) SLUICE_NOEXCEPT;
    /* Computes the outputs. Allocates nothing on the device. [enqueue] */
    sluice_status (*forward)(void *kernel, const sluice_launch *launch, sluice_error *error) SLUICE_NOEXCEPT;
    /* Computes the wanted gradients. [enqueue] */
    sluice_status (*backward)(void *kernel, const sluice_launch *launch, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_kernel;

SLUICE_EXTERN_C_END
#endif
