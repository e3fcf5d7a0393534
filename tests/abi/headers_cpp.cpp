// The pins as a C++ compiler sees the headers. Compiling is the test.
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

#include <string_view>
#include <type_traits>

template <class Type>
concept Grows = requires(Type value) {
    value.struct_size;
};

#define SLUICE_PIN_SIZE(type, bytes)                                                                                 \
    static_assert(Grows<type> ? sizeof(type) >= (bytes) : sizeof(type) == (bytes), "the size of " #type " changed"); \
    static_assert(alignof(type) <= 8, "the alignment of " #type " changed");
#define SLUICE_PIN_OFFSET(type, field, bytes) \
    static_assert(offsetof(type, field) == (bytes), "the place of " #type "." #field " changed");
#define SLUICE_PIN_FIELD(type, field, bytes, ...)                                            \
    SLUICE_PIN_OFFSET(type, field, bytes)                                                    \
    static_assert(std::is_same_v<decltype(static_cast<type*>(nullptr)->field), __VA_ARGS__>, \
                  "the type of " #type "." #field " changed");
#define SLUICE_PIN_VALUE(constant, value) static_assert((constant) == (value), "the value of " #constant " changed");
#define SLUICE_PIN_TEXT(constant, text) \
    static_assert(std::string_view(constant) == text, "the text of " #constant " changed");

#include "pins_1_0.h"
#include "pins_1_1.h"
static_assert(SLUICE_ABI_MINOR == 0, "a new minor has pins of its own");
