#include "device/cupti.hpp"

#include <dlfcn.h>

#include <type_traits>

#include "sluice/sdk/guard.hpp"

namespace sluice::cudnn {

// The library is never closed, because threads of its own may still run.
Cupti open_cupti(const std::string& library) {
    void* const opened = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) {
        const char* const reason = ::dlerror();
        throw sdk::Failure(SLUICE_UNSUPPORTED, "CUPTI of the CUDA toolkit is missing: " +
                                                   (reason != nullptr ? std::string(reason) : library));
    }
    Cupti cupti{};
    const auto find = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(opened, name));
        if (function == nullptr) {
            throw sdk::Failure(SLUICE_UNSUPPORTED, library + " has no function " + name);
        }
    };
    find(cupti.set_callbacks, "cuptiActivityRegisterCallbacks");
    find(cupti.enable, "cuptiActivityEnable");
    find(cupti.disable, "cuptiActivityDisable");
    find(cupti.flush, "cuptiActivityFlushAll");
    find(cupti.next_record, "cuptiActivityGetNextRecord");
    find(cupti.dropped, "cuptiActivityGetNumDroppedRecords");
    find(cupti.now, "cuptiGetTimestamp");
    find(cupti.error_text, "cuptiGetResultString");
    return cupti;
}

std::string error_text(const Cupti& cupti, int status) {
    const char* text = nullptr;
    return cupti.error_text(status, &text) == 0 && text != nullptr ? text : "error " + std::to_string(status);
}

}  // namespace sluice::cudnn
