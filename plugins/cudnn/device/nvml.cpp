#include "device/nvml.hpp"

#include <dlfcn.h>

#include <memory>
#include <type_traits>

#include "sluice/sdk/guard.hpp"

namespace sluice::cudnn {

// The part of NVML's C interface that is used here, with the types and numbers of NVIDIA's documentation. Status 0 is
// success.
struct NvmlFunctions {
    using Gpu = void*;
    struct Rates {
        unsigned gpu, memory;  // percent
    };
    struct Bytes {
        unsigned long long total, free, used;
    };
    static constexpr int kOnDie = 0;  // the sensor
    static constexpr int kSmClock = 1;

    int (*init)();
    int (*shutdown)();
    const char* (*error_text)(int);
    int (*driver_version)(char*, unsigned);
    int (*count)(unsigned*);
    int (*by_bus_id)(const char*, Gpu*);
    int (*rates)(Gpu, Rates*);
    int (*memory)(Gpu, Bytes*);
    int (*power)(Gpu, unsigned*);  // milliwatts
    int (*temperature)(Gpu, int, unsigned*);
    int (*clock)(Gpu, int, unsigned*);  // MHz
    int (*throttle_reasons)(Gpu, unsigned long long*);
};

namespace {

// Returns the first name that was not found; empty: all were found.
std::string find_functions(void* library, NvmlFunctions& found) {
    std::string missing;
    const auto find = [&](auto& function, const char* name) {
        void* const symbol = ::dlsym(library, name);
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
        if (symbol == nullptr && missing.empty()) {
            missing = name;
        }
    };
    find(found.init, "nvmlInit_v2");
    find(found.shutdown, "nvmlShutdown");
    find(found.error_text, "nvmlErrorString");
    find(found.driver_version, "nvmlSystemGetDriverVersion");
    find(found.count, "nvmlDeviceGetCount_v2");
    find(found.by_bus_id, "nvmlDeviceGetHandleByPciBusId_v2");
    find(found.rates, "nvmlDeviceGetUtilizationRates");
    find(found.memory, "nvmlDeviceGetMemoryInfo");
    find(found.power, "nvmlDeviceGetPowerUsage");
    find(found.temperature, "nvmlDeviceGetTemperature");
    find(found.clock, "nvmlDeviceGetClockInfo");
    find(found.throttle_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    return missing;
}

// Reads the bits of nvmlClocksThrottleReason*: power caps (0x4, 0x80), heat (0x20, 0x40), slowdown by the board (0x8).
const char* limit_of(unsigned long long reasons) {
    return (reasons & 0x60) != 0 ? "heat" : (reasons & 0x84) != 0 ? "power" : (reasons & 0x8) != 0 ? "hardware" : "";
}

}  // namespace

Nvml::Nvml(const char* library) : library_(::dlopen(library, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) {
        const char* const reason = ::dlerror();
        missing_ = reason != nullptr ? reason : std::string(library) + " cannot be opened";
        return;
    }
    auto functions = std::make_unique<NvmlFunctions>();
    if (const std::string name = find_functions(library_, *functions); !name.empty()) {
        missing_ = std::string(library) + " has no function " + name;
    } else if (const int status = functions->init(); status != 0) {
        missing_ = std::string("NVML cannot be initialized: ") + functions->error_text(status);
    } else {
        functions_ = functions.release();
    }
}

Nvml::~Nvml() {
    if (functions_ != nullptr) {
        functions_->shutdown();
        delete functions_;
    }
    if (library_ != nullptr) {
        ::dlclose(library_);
    }
}

std::string Nvml::driver_release() const {
    char text[80] = {};
    return functions_ != nullptr && functions_->driver_version(text, sizeof(text)) == 0 ? text : "";
}

std::optional<unsigned> Nvml::gpu_count() const {
    unsigned count = 0;
    return functions_ != nullptr && functions_->count(&count) == 0 ? std::optional(count) : std::nullopt;
}

sluice_usage_figures Nvml::read(const std::string& bus_id) const {
    if (functions_ == nullptr) {
        throw sdk::Failure(SLUICE_UNSUPPORTED, missing_);
    }
    NvmlFunctions::Gpu gpu = nullptr;
    if (const int status = functions_->by_bus_id(bus_id.c_str(), &gpu); status != 0) {
        throw sdk::Failure(SLUICE_UNSUPPORTED,
                           "NVML does not know the GPU at " + bus_id + ": " + functions_->error_text(status));
    }
    NvmlFunctions::Rates rates{};
    NvmlFunctions::Bytes bytes{};
    unsigned milliwatts = 0;
    unsigned celsius = 0;
    unsigned megahertz = 0;
    unsigned long long reasons = 0;
    sluice_usage_figures figures{};
    figures.busy_share = functions_->rates(gpu, &rates) == 0 ? rates.gpu / 100.0 : -1.0;
    figures.used_bytes = functions_->memory(gpu, &bytes) == 0 ? static_cast<double>(bytes.used) : -1.0;
    figures.power_watts = functions_->power(gpu, &milliwatts) == 0 ? milliwatts / 1000.0 : -1.0;
    figures.celsius = functions_->temperature(gpu, NvmlFunctions::kOnDie, &celsius) == 0 ? celsius : -1.0;
    figures.clock_hertz = functions_->clock(gpu, NvmlFunctions::kSmClock, &megahertz) == 0 ? 1e6 * megahertz : -1.0;
    if (functions_->throttle_reasons(gpu, &reasons) == 0) {
        sdk::detail::copy_cut(figures.limit, limit_of(reasons));
    }
    return figures;
}

}  // namespace sluice::cudnn
