// CUPTI, NVIDIA's library for tracing. It comes with the CUDA toolkit. It is opened at run time, so that the plugin
// also works without it. cupti_layout.cpp compares the records with NVIDIA's header if the toolkit has that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace sluice::cudnn {

// The part of CUPTI's C interface that is used here, with the types and numbers of NVIDIA's documentation. Status 0 is
// success. Each release appends fields to the records, and these stay where they are.
struct Cupti {
    // Kinds of records.
    static constexpr std::uint32_t kCopy = 1;
    static constexpr std::uint32_t kFill = 2;
    static constexpr std::uint32_t kDriverCall = 4;
    static constexpr std::uint32_t kRuntimeCall = 5;
    static constexpr std::uint32_t kKernel = 10;
    // Kinds of copies.
    static constexpr std::uint8_t kToDevice = 1;
    static constexpr std::uint8_t kToHost = 2;
    struct Record {
        std::uint32_t kind;
    };
    struct Kernel {
        std::uint32_t kind;
        std::uint32_t unused[3];
        std::uint64_t start, end, completed;
        std::uint32_t device, context, stream;
        std::uint32_t shape[10];
        std::uint32_t correlation;
        std::int64_t grid;
        const char* name;
    };
    struct Transfer {  // a copy or a fill
        std::uint32_t kind;
        std::uint8_t copy_kind;
        std::uint8_t unused[3];
        std::uint64_t bytes, start, end;
        std::uint32_t device, context, stream, correlation;
    };
    struct Call {
        std::uint32_t kind, function;
        std::uint64_t start, end;
        std::uint32_t process, thread, correlation, result;
    };
    using Request = void (*)(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records);
    using Complete = void (*)(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t bytes,
                              std::size_t valid_bytes);
    static constexpr std::uint32_t kForced = 1;

    int (*set_callbacks)(Request, Complete);
    int (*enable)(std::uint32_t);
    int (*disable)(std::uint32_t);
    int (*flush)(std::uint32_t);
    int (*next_record)(std::uint8_t*, std::size_t, Record**);
    int (*dropped)(void*, std::uint32_t, std::size_t*);
    int (*now)(std::uint64_t*);
    int (*error_text)(int, const char**);
};

// Finds the functions of CUPTI in a library. Throws sdk::Failure(SLUICE_UNSUPPORTED) with the reason.
Cupti open_cupti(const std::string& library);

// Returns the name of the error: "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES".
std::string error_text(const Cupti& cupti, int status);

}  // namespace sluice::cudnn
