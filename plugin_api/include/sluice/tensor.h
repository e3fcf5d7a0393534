/* sluice/tensor.h - tensors with the memory layout of DLPack (DLDevice, DLDataType, DLTensor). */
#ifndef SLUICE_TENSOR_H
#define SLUICE_TENSOR_H

#include "sluice/abi.h"

SLUICE_EXTERN_C_BEGIN

/* The numbers of DLDeviceType, including those that are not named here. */
enum { SLUICE_DEVICE_CPU = 1, SLUICE_DEVICE_CUDA = 2 };

typedef struct sluice_device_ref {
    int32_t type;
    int32_t index;
} sluice_device_ref;

/* The numbers of DLDataTypeCode, including those that are not named here. */
enum { SLUICE_CODE_INT = 0, SLUICE_CODE_UINT = 1, SLUICE_CODE_FLOAT = 2, SLUICE_CODE_BFLOAT = 4 };

/* Element type: code, bits of one lane, lanes (always 1 here). float32 is {2, 32, 1}. */
typedef struct sluice_dtype {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
} sluice_dtype;

/* A view of memory that it does not own. strides are in elements, never NULL if rank > 0; the first element lies at
 * data + byte_offset. Activations are dense NHWC, images dense HWC. */
typedef struct sluice_tensor {
    void *data;
    sluice_device_ref device;
    int32_t rank;
    sluice_dtype dtype;
    const int64_t *shape;
    const int64_t *strides;
    uint64_t byte_offset;
} sluice_tensor;

enum { SLUICE_MAX_RANK = 8 };

/* Shape and type without memory. Entries of shape at and beyond rank are 0; -1 means "differs per sample". */
typedef struct sluice_tensor_spec {
    int64_t shape[SLUICE_MAX_RANK];
    int32_t rank;
    sluice_dtype dtype;
} sluice_tensor_spec;

SLUICE_EXTERN_C_END
#endif
