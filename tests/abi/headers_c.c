/* The pins as a C compiler sees the headers. Compiling is the test. */
#include "sluice/abi.h"
#include "sluice/fault_guard.h"
#include "sluice/half.h"
#include "sluice/host.h"
#include "sluice/kind/batch_transform.h"
#include "sluice/kind/class_names.h"
#include "sluice/kind/device.h"
#include "sluice/kind/device_activity.h"
#include "sluice/kind/device_time.h"
#include "sluice/kind/identity.h"
#include "sluice/kind/kernel.h"
#include "sluice/kind/layer.h"
#include "sluice/kind/libraries.h"
#include "sluice/kind/observer.h"
#include "sluice/kind/optimizer.h"
#include "sluice/kind/precision.h"
#include "sluice/kind/processes.h"
#include "sluice/kind/profile.h"
#include "sluice/kind/sampling.h"
#include "sluice/kind/source.h"
#include "sluice/kind/step.h"
#include "sluice/kind/strategy.h"
#include "sluice/kind/streams.h"
#include "sluice/kind/transform.h"
#include "sluice/kind/usage.h"
#include "sluice/kind/window.h"
#include "sluice/options.h"
#include "sluice/plugin.h"
#include "sluice/random.h"
#include "sluice/tensor.h"

/* headers_cpp.cpp knows which structs may grow. */
#define SLUICE_PIN_SIZE(type, bytes) _Static_assert(sizeof(type) >= (bytes), "the size of " #type " changed");
#define SLUICE_PIN_OFFSET(type, field, bytes) \
    _Static_assert(offsetof(type, field) == (bytes), "the place of " #type "." #field " changed");
#define SLUICE_PIN_FIELD(type, field, bytes, ...)                                            \
    SLUICE_PIN_OFFSET(type, field, bytes)                                                    \
    _Static_assert(__builtin_types_compatible_p(__typeof__(((type*)0)->field), __VA_ARGS__), \
                   "the type of " #type "." #field " changed");
#define SLUICE_PIN_VALUE(constant, value) _Static_assert((constant) == (value), "the value of " #constant " changed");
/* C cannot compare text here, so this checks only its length. headers_cpp.cpp compares the text. */
#define SLUICE_PIN_TEXT(constant, text) \
    _Static_assert(sizeof(constant) == sizeof(text), "the length of " #constant " changed");

#include "pins_1_0.h"
#include "pins_1_1.h"
