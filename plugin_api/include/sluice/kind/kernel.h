/* sluice/kind/kernel.h - how one device computes layers, forward and backward.
 *
 * A provider is asked for chains: nodes of which each feeds only the next. The host asks for the longest chain first;
 * what no provider claims as a chain runs node by node. Forward and backward of a chain come from one provider.
 * The host owns all memory: it lays out what plan() asked for and hands pointers to each launch.
 * On a device that records work, launches of a training step are recorded and run again: forward and backward put work
 * on the stream, and neither wait for it nor read what it computes. The first launch of a kernel is never recorded; one
 * that cannot be recorded fails when it is, and steps then go on unrecorded. */
#ifndef SLUICE_KIND_KERNEL_H
#define SLUICE_KIND_KERNEL_H

#include "sluice/host.h"
#include "sluice/options.h"
#include "sluice/random.h"
#include "sluice/tensor.h"

SLUICE_EXTERN_C_BEGIN

enum {
    SLUICE_NODE_TRAIN = 1,        /* training mode; backward follows where a gradient is wanted */
    SLUICE_NODE_DETERMINISTIC = 2 /* the same inputs must give the same bits */
};

/* One layer of the graph, as the plan fixed it. options are complete. Those that a later version of the layer's type
 * added (`since` in its manifest) have their defaults, under which all is as before, unless the kernel's manifest says
 * that it knows them: it is not asked for other nodes. */
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
    uint64_t accumulated_gradients; /* bit i: it is added to what is there, not written over it */
    int32_t chained_input;         /* the input that the node before it in the chain feeds; -1 for the first node */
    uint32_t flags;
    sluice_dtype compute;    /* type of the arithmetic's operands */
    sluice_dtype accumulate; /* type of its sums */
} sluice_node;

/* Where plan() states what the kernel needs. Indices count over the launch's arrays (see sluice_launch), which are at
 * most 64 long. */
typedef struct sluice_kernel_sink {
    uint64_t struct_size;
    void *impl;
    const sluice_threads *threads; /* those of the launches, for measuring; NULL on devices other than the CPU */
    uint32_t may_measure;          /* 0: what recall does not know is chosen without running anything */
    uint32_t reserved;
    /* Written by forward, read by backward of the same step. Order gives the index in launch.saved. */
    void (*add_saved)(const struct sluice_kernel_sink *sink, uint64_t bytes) SLUICE_NOEXCEPT;
    /* Scratch memory of one call, the largest of forward and backward. */
    void (*set_workspace)(const struct sluice_kernel_sink *sink, uint64_t bytes) SLUICE_NOEXCEPT;
    /* Backward reads input or output number `index`; what is not named here may be overwritten before backward. */
    void (*backward_reads_input)(const struct sluice_kernel_sink *sink, uint32_t index) SLUICE_NOEXCEPT;
    void (*backward_reads_output)(const struct sluice_kernel_sink *sink, uint32_t index) SLUICE_NOEXCEPT;
    /* The algorithm in a few words, for the plan's listing: "brgconv:avx512_core, blocked weights". Copied. */
    void (*set_note)(const struct sluice_kernel_sink *sink, sluice_text note) SLUICE_NOEXCEPT;
    /* Forward computes the same where output `output` lies in the very memory of input `input`, of which it has the
     * bytes. The host decides from launch to launch, for one input of an output; never where backward reads the input.
     */
    void (*may_overwrite)(const struct sluice_kernel_sink *sink, uint32_t input, uint32_t output) SLUICE_NOEXCEPT;
    /* The same of backward: the gradient of input `input` in the memory of that of output `output`; never where it is
     * added to what is there. */
    void (*may_overwrite_gradient)(const struct sluice_kernel_sink *sink, uint32_t output, uint32_t input)
        SLUICE_NOEXCEPT;
    /* What an earlier plan() remembered under this key; empty: nothing. Valid until plan() returns. A key says all that
     * the choice depends on: shapes, types, version of the library, CPU, threads. A recalled choice may come from a
     * file: one that the kernel does not know is measured anew. */
    sluice_text (*recall)(const struct sluice_kernel_sink *sink, sluice_text key) SLUICE_NOEXCEPT;
    /* Keeps what was measured: in the run's checkpoints, so that a resumed run computes the same bits, and on disk for
     * other runs. Key and choice are printable text without tabs, not empty. Copied. */
    void (*remember)(const struct sluice_kernel_sink *sink, sluice_text key, sluice_text choice) SLUICE_NOEXCEPT;
    /* Forward or backward multiplies in another type than the node asks for, and rounds what it stores; where it is one
     * of them only, the note says which. The plan shows both types. */
    void (*computes_in)(const struct sluice_kernel_sink *sink, sluice_dtype dtype) SLUICE_NOEXCEPT;
    /* Launches get the parameters rounded to this type too, in launch.rounded_parameters: float16 or bfloat16, one of
     * them for a kernel. The host rounds all of them in one pass after each update. */
    void (*reads_rounded_parameters)(const struct sluice_kernel_sink *sink, sluice_dtype dtype) SLUICE_NOEXCEPT;
} sluice_kernel_sink;

/* What changes from step to step. Lives in device memory, so that a recorded step does not freeze it. */
typedef struct sluice_step_scalars {
    double rate;             /* learning rate of this step */
    double gradient_scale;   /* the optimizer multiplies gradients by it: 1 / (weight of the batch * loss_seed) */
    double loss_seed;        /* a loss multiplies its derivative by it: keeps gradients in range */
    uint64_t step;           /* of the optimizer, from 1 */
    uint64_t random_counter; /* counter of the step's random keys */
    uint32_t skip;           /* 1: the optimizer leaves everything as it is */
    uint32_t reserved_flags;
    uint64_t reserved[10];
} sluice_step_scalars;

/* The replicas of a training, to those of its launches whose layers are SLUICE_LAYER_JOINS_REPLICAS. */
typedef struct sluice_replicas {
    uint64_t struct_size;
    void *impl;
    /* Each of `count` values, in device memory, becomes the sum of those of all replicas; each replica calls it in the
     * same launches in the same order. Who has fewer samples brings smaller values, so that a count of rows is one of
     * them. On a CPU they are there when it returns, elsewhere when the launch's stream has come here. name, lent: for
     * messages. A launch gives back the status and the message where it fails. [enqueue] */
    sluice_status (*sum)(const struct sluice_replicas *replicas, double *values, uint64_t count, sluice_text name,
                         sluice_error *error) SLUICE_NOEXCEPT;
} sluice_replicas;

/* One call of forward or backward. Pointers are dense, of the specs given to plan(), aligned as the device's blocks are
 * and to 64 bytes at least. Arrays run over the chain in order: inputs are those that come from outside the chain,
 * outputs those of its last node, parameters and states those of all nodes. Gradient arrays run like what they are
 * gradients of; an entry is NULL where it is not wanted. Forward sees no gradients. A loss gets no gradients of its
 * outputs, NULL entries: its backward writes the derivative of the sum of the loss over all samples, times
 * scalars->loss_seed. In training, outputs do not depend on states: forward of a step may run again during backward, with
 * scratch memory in their place. */
typedef struct sluice_launch {
    uint64_t struct_size;
    const void *const *inputs;  /* backward: NULL entries where it did not say that it reads them */
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
    uint32_t accumulate_parameters; /* 1: parameter gradients are added to what is there */
    /* Changes when parameters change, and with them the states that evaluation reads: what was made of those of another
     * version is stale. A launch of a training step may be recorded and run again for other versions: what it needs of
     * the parameters it makes anew each time. */
    uint32_t parameters_version;
    const void *const *rounded_parameters; /* as parameters, in the type asked for; NULL where none was */
    const sluice_replicas *replicas;       /* NULL: there is one */
} sluice_launch;

#define SLUICE_KERNEL_V1 "sluice.kernel/1"
typedef struct sluice_kernel {
    /* A provider for one opened device. *self is the plugin's, until destroy. [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, sluice_device_ref device, void **self,
                            sluice_error *error) SLUICE_NOEXCEPT;
    /* After every kernel of it was released. [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* chain[i]: node i. SLUICE_OK: claims the chain. SLUICE_UNSUPPORTED, with the reason in error->message: does not, as
     * where it does not know a flag or an element type. No host calls, cheap: it is asked often. [any] */
    sluice_status (*supports)(void *self, const sluice_node *const *chain, uint32_t count, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* Prepares a kernel for a chain that it claims: chooses algorithms and states needs to the sink. *kernel is the
     * plugin's, until release. chain does not outlive the call. Calls of one provider and of all its kernels are serial.
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
