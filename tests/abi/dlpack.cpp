// Tensors have DLPack's layout, byte for byte. Compiling is the test.
#include <dlpack/dlpack.h>

#include "sluice/tensor.h"

static_assert(sizeof(sluice_device_ref) == sizeof(DLDevice));
static_assert(offsetof(sluice_device_ref, type) == offsetof(DLDevice, device_type));
static_assert(offsetof(sluice_device_ref, index) == offsetof(DLDevice, device_id));

static_assert(sizeof(sluice_dtype) == sizeof(DLDataType));
static_assert(offsetof(sluice_dtype, code) == offsetof(DLDataType, code));
static_assert(offsetof(sluice_dtype, bits) == offsetof(DLDataType, bits));
static_assert(offsetof(sluice_dtype, lanes) == offsetof(DLDataType, lanes));

static_assert(sizeof(sluice_tensor) == sizeof(DLTensor));
static_assert(offsetof(sluice_tensor, data) == offsetof(DLTensor, data));
static_assert(offsetof(sluice_tensor, device) == offsetof(DLTensor, device));
static_assert(offsetof(sluice_tensor, rank) == offsetof(DLTensor, ndim));
static_assert(offsetof(sluice_tensor, dtype) == offsetof(DLTensor, dtype));
static_assert(offsetof(sluice_tensor, shape) == offsetof(DLTensor, shape));
static_assert(offsetof(sluice_tensor, strides) == offsetof(DLTensor, strides));
static_assert(offsetof(sluice_tensor, byte_offset) == offsetof(DLTensor, byte_offset));

static_assert(int{SLUICE_DEVICE_CPU} == int{kDLCPU} && int{SLUICE_DEVICE_CUDA} == int{kDLCUDA});
static_assert(int{SLUICE_CODE_INT} == int{kDLInt} && int{SLUICE_CODE_UINT} == int{kDLUInt});
static_assert(int{SLUICE_CODE_FLOAT} == int{kDLFloat} && int{SLUICE_CODE_BFLOAT} == int{kDLBfloat});
