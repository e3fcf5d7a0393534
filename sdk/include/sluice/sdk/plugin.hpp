// Every plugin ends with a table of components and SLUICE_DEFINE_PLUGIN.
//
//   constexpr sluice_component kComponents[] = {
//       sluice::sdk::component<Conv2d>("sluice.layer.conv2d"),
//   };
//   SLUICE_DEFINE_PLUGIN(kComponents)
#pragma once

#include <concepts>
#include <cstring>
#include <iterator>

#include "sluice/plugin.h"
#include "sluice/sdk/batch_transform.hpp"
#include "sluice/sdk/class_names.hpp"
#include "sluice/sdk/data.hpp"
#include "sluice/sdk/device.hpp"
#include "sluice/sdk/identity.hpp"
#include "sluice/sdk/kernel.hpp"
#include "sluice/sdk/layer.hpp"
#include "sluice/sdk/libraries.hpp"
#include "sluice/sdk/processes.hpp"
#include "sluice/sdk/profile.hpp"
#include "sluice/sdk/run.hpp"
#include "sluice/sdk/sampling.hpp"
#include "sluice/sdk/window.hpp"

namespace sluice::sdk {
namespace detail {

template <const auto& Table>
const void* table_if(const char* wanted, const char* id) noexcept {
    return std::strcmp(wanted, id) == 0 ? &Table : nullptr;
}

template <class T>
const void* get(const sluice_component*, const char* id) noexcept {
    if constexpr (NamesLibraries<T>) {
        if (const void* const found = table_if<libraries_table<T>>(id, SLUICE_LIBRARIES_V1)) {
            return found;
        }
    }
    if constexpr (std::derived_from<T, Layer>) {
        return table_if<layer_table<T>>(id, SLUICE_LAYER_V1);
    } else if constexpr (std::derived_from<T, KernelProvider>) {
        return table_if<kernel_table<T>>(id, SLUICE_KERNEL_V1);
    } else if constexpr (std::derived_from<T, Device>) {
        const void* found = table_if<device_table<T>>(id, SLUICE_DEVICE_V1);
        if constexpr (std::derived_from<T, Step>) {
            found = found != nullptr ? found : table_if<step_table<T>>(id, SLUICE_STEP_V1);
        }
        if constexpr (std::derived_from<T, Streams>) {
            found = found != nullptr ? found : table_if<streams_table<T>>(id, SLUICE_STREAMS_V1);
        }
        if constexpr (std::derived_from<T, Usage>) {
            found = found != nullptr ? found : table_if<usage_table<T>>(id, SLUICE_USAGE_V1);
        }
        if constexpr (std::derived_from<T, DeviceTime>) {
            found = found != nullptr ? found : table_if<device_time_table<T>>(id, SLUICE_DEVICE_TIME_V1);
        }
        if constexpr (std::derived_from<T, DeviceActivity>) {
            found = found != nullptr ? found : table_if<device_activity_table<T>>(id, SLUICE_DEVICE_ACTIVITY_V1);
        }
        return found;
    } else if constexpr (std::derived_from<T, Source>) {
        const void* found = table_if<source_table<T>>(id, SLUICE_SOURCE_V1);
        if constexpr (std::derived_from<T, Identity>) {
            found = found != nullptr ? found : table_if<identity_table<T>>(id, SLUICE_IDENTITY_V1);
        }
        if constexpr (std::derived_from<T, Sampling>) {
            found = found != nullptr ? found : table_if<sampling_table<T>>(id, SLUICE_SAMPLING_V1);
        }
        if constexpr (std::derived_from<T, ClassNames>) {
            found = found != nullptr ? found : table_if<class_names_table<T>>(id, SLUICE_CLASS_NAMES_V1);
        }
        if constexpr (std::derived_from<T, WindowSource>) {
            found = found != nullptr ? found : table_if<window_source_table<T>>(id, SLUICE_WINDOW_SOURCE_V1);
        }
        return found;
    } else if constexpr (std::derived_from<T, Transform>) {
        const void* found = table_if<transform_table<T>>(id, SLUICE_TRANSFORM_V1);
        if constexpr (std::derived_from<T, BatchTransform>) {
            found = found != nullptr ? found : table_if<batch_transform_table<T>>(id, SLUICE_BATCH_TRANSFORM_V1);
        }
        if constexpr (std::derived_from<T, WindowMaker>) {
            found = found != nullptr ? found : table_if<window_maker_table<T>>(id, SLUICE_WINDOW_MAKER_V1);
        }
        if constexpr (std::derived_from<T, WindowChoice>) {
            found = found != nullptr ? found : table_if<window_choice_table<T>>(id, SLUICE_WINDOW_CHOICE_V1);
        }
        return found;
    } else if constexpr (std::derived_from<T, Optimizer>) {
        return table_if<optimizer_table<T>>(id, SLUICE_OPTIMIZER_V1);
    } else if constexpr (std::derived_from<T, Precision>) {
        return table_if<precision_table<T>>(id, SLUICE_PRECISION_V1);
    } else if constexpr (std::derived_from<T, Strategy>) {
        const void* found = table_if<strategy_table<T>>(id, SLUICE_STRATEGY_V1);
        if constexpr (std::derived_from<T, Processes>) {
            found = found != nullptr ? found : table_if<processes_table<T>>(id, SLUICE_PROCESSES_V1);
        }
        return found;
    } else {
        static_assert(std::derived_from<T, Observer>, "a component derives from one of the SDK's base classes");
        return table_if<observer_table<T>>(id, SLUICE_OBSERVER_V1);
    }
}

}  // namespace detail

// `id` is that of the manifest, as a literal.
template <class T, std::size_t N>
constexpr sluice_component component(const char (&id)[N]) {
    return {{id, N - 1}, detail::get<T>};
}

}  // namespace sluice::sdk

// Defines the only exported symbol. `components` is an array of sluice_component.
#define SLUICE_DEFINE_PLUGIN(components)                                                                      \
    extern "C" SLUICE_EXPORT constexpr sluice_plugin sluice_plugin_v1 = {                                     \
        SLUICE_ABI_MAJOR, SLUICE_ABI_MINOR, static_cast<std::uint32_t>(std::size(components)), 0, components, \
        nullptr,          nullptr};
