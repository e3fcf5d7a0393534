/* sluice/kind/device.h - one device: memory, streams, copies.
 *
 * A CPU has no streams: stream is NULL, and every call has finished when it returns. On other devices the next
 * stream_wait reports an error of earlier work. If threads have a current device (CUDA), each call that touches the
 * device leaves it current on its thread. Kernels, steps, optimizers and collectives are called on threads where the
 * last such call was of their device, and leave it current. */
#ifndef SLUICE_KIND_DEVICE_H
#define SLUICE_KIND_DEVICE_H

#include "sluice/host.h"
#include "sluice/options.h"
#include "sluice/tensor.h"

SLUICE_EXTERN_C_BEGIN

typedef struct sluice_device_info {
    uint64_t struct_size;
    char name[96];           /* "AMD EPYC 9655P, 2 threads, avx512_bf16" */
    uint64_t free_bytes;     /* memory that this process can still allocate; asked again when it matters */
    uint64_t alignment;      /* of every block that alloc returns, bytes, a power of two */
    sluice_device_ref ref;   /* index: the runtime's own number, as cudaSetDevice takes it */
} sluice_device_info;

#define SLUICE_DEVICE_V1 "sluice.device/1"
typedef struct sluice_device {
    /* Returns the number of usable devices; SLUICE_UNSUPPORTED, with the reason, if there is none. [any] */
    sluice_status (*count)(const sluice_host *host, uint32_t *count, sluice_error *error) SLUICE_NOEXCEPT;
    /* Opens device number `index`, from 0. The plugin owns *self until destroy. [any] */
    sluice_status (*create)(const sluice_host *host, const sluice_value *options, uint32_t index, void **self,
                            sluice_error *error) SLUICE_NOEXCEPT;
    /* Called after every block and stream was freed. [serial] */
    void (*destroy)(void *self) SLUICE_NOEXCEPT;
    /* Fills *info up to its struct_size. [any] */
    sluice_status (*info)(void *self, sluice_device_info *info, sluice_error *error) SLUICE_NOEXCEPT;
    /* Allocates device memory with undefined contents, not NULL unless bytes is 0. SLUICE_NO_MEMORY reports how much
     * was free. The host allocates a few large blocks before the first step, and later only for something larger, such
     * as a picture for evaluation. [serial] */
    sluice_status (*alloc)(void *self, uint64_t bytes, void **block, sluice_error *error) SLUICE_NOEXCEPT;
    /* block may be NULL. [serial] */
    void (*free)(void *self, void *block) SLUICE_NOEXCEPT;
    /* Allocates host memory that the device copies from and to at full speed (pinned). [serial] */
    sluice_status (*host_alloc)(void *self, uint64_t bytes, void **block, sluice_error *error) SLUICE_NOEXCEPT;
    /* block may be NULL. [serial] */
    void (*host_free)(void *self, void *block) SLUICE_NOEXCEPT;
    /* Creates a stream and returns its native handle, NULL on a CPU. [serial] */
    sluice_status (*stream_create)(void *self, void **stream, sluice_error *error) SLUICE_NOEXCEPT;
    /* stream may be NULL. [serial] */
    void (*stream_destroy)(void *self, void *stream) SLUICE_NOEXCEPT;
    /* Returns when all work on the stream has finished, with the first error of that work. [serial] */
    sluice_status (*stream_wait)(void *self, void *stream, sluice_error *error) SLUICE_NOEXCEPT;
    /* Copies bytes between memory of this device and of the host, in all four directions. The ranges do not overlap and
     * stay valid until the stream has passed the copy. [enqueue] */
    sluice_status (*copy)(void *self, void *to, const void *from, uint64_t bytes, void *stream, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* Sets bytes of device memory to zero. [enqueue] */
    sluice_status (*zero)(void *self, void *block, uint64_t bytes, void *stream, sluice_error *error) SLUICE_NOEXCEPT;
} sluice_device;

SLUICE_EXTERN_C_END
#endif
