// Compares the records of cupti.hpp with NVIDIA's header. Compiling is the test. NVIDIA keeps the first versions of its
// records in the header, and CUPTI delivers longer ones that begin like them.
#include <cupti.h>

#include "device/cupti.hpp"

namespace sluice::cudnn {

#define SAME_PLACE(ours, field, theirs, their_field)                                                                  \
    static_assert(                                                                                                    \
        offsetof(ours, field) == offsetof(theirs, their_field) && sizeof(ours::field) == sizeof(theirs::their_field), \
        "CUPTI has " #their_field " of " #theirs " elsewhere: write another version of its records")

SAME_PLACE(Cupti::Record, kind, CUpti_Activity, kind);
SAME_PLACE(Cupti::Kernel, start, CUpti_ActivityKernel4, start);
SAME_PLACE(Cupti::Kernel, end, CUpti_ActivityKernel4, end);
SAME_PLACE(Cupti::Kernel, device, CUpti_ActivityKernel4, deviceId);
SAME_PLACE(Cupti::Kernel, stream, CUpti_ActivityKernel4, streamId);
SAME_PLACE(Cupti::Kernel, correlation, CUpti_ActivityKernel4, correlationId);
SAME_PLACE(Cupti::Kernel, name, CUpti_ActivityKernel4, name);
SAME_PLACE(Cupti::Transfer, copy_kind, CUpti_ActivityMemcpy, copyKind);
SAME_PLACE(Cupti::Transfer, bytes, CUpti_ActivityMemcpy, bytes);
SAME_PLACE(Cupti::Transfer, start, CUpti_ActivityMemcpy, start);
SAME_PLACE(Cupti::Transfer, end, CUpti_ActivityMemcpy, end);
SAME_PLACE(Cupti::Transfer, device, CUpti_ActivityMemcpy, deviceId);
SAME_PLACE(Cupti::Transfer, stream, CUpti_ActivityMemcpy, streamId);
SAME_PLACE(Cupti::Transfer, correlation, CUpti_ActivityMemcpy, correlationId);
SAME_PLACE(Cupti::Transfer, bytes, CUpti_ActivityMemset, bytes);
SAME_PLACE(Cupti::Transfer, start, CUpti_ActivityMemset, start);
SAME_PLACE(Cupti::Transfer, end, CUpti_ActivityMemset, end);
SAME_PLACE(Cupti::Transfer, device, CUpti_ActivityMemset, deviceId);
SAME_PLACE(Cupti::Transfer, stream, CUpti_ActivityMemset, streamId);
SAME_PLACE(Cupti::Transfer, correlation, CUpti_ActivityMemset, correlationId);
SAME_PLACE(Cupti::Call, start, CUpti_ActivityAPI, start);
SAME_PLACE(Cupti::Call, correlation, CUpti_ActivityAPI, correlationId);
#undef SAME_PLACE

#define SAME_NUMBER(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs))
SAME_NUMBER(Cupti::kCopy, CUPTI_ACTIVITY_KIND_MEMCPY);
SAME_NUMBER(Cupti::kFill, CUPTI_ACTIVITY_KIND_MEMSET);
SAME_NUMBER(Cupti::kDriverCall, CUPTI_ACTIVITY_KIND_DRIVER);
SAME_NUMBER(Cupti::kRuntimeCall, CUPTI_ACTIVITY_KIND_RUNTIME);
SAME_NUMBER(Cupti::kKernel, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
SAME_NUMBER(Cupti::kToDevice, CUPTI_ACTIVITY_MEMCPY_KIND_HTOD);
SAME_NUMBER(Cupti::kToHost, CUPTI_ACTIVITY_MEMCPY_KIND_DTOH);
SAME_NUMBER(Cupti::kForced, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
SAME_NUMBER(0, CUPTI_SUCCESS);
#undef SAME_NUMBER

// The functions take the same types: enums of C have 32 bits, and handles are pointers.
static_assert(sizeof(CUptiResult) == sizeof(int) && sizeof(CUpti_ActivityKind) == sizeof(std::uint32_t) &&
              sizeof(CUcontext) == sizeof(void*));

}  // namespace sluice::cudnn
