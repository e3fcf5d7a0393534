// A library to preload: counts the main thread's calls to the allocator by the library that made them, and writes the
// counts to the file that SLUICE_ALLOCATIONS names when the program ends. The caller is the first frame of the stack
// outside of the C and C++ libraries, so that what a std::vector of ours takes is ours.
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <unwind.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

struct Caller {
    const link_map* library = nullptr;
    unsigned long calls = 0;
};

constexpr std::size_t kMostCallers = 128;
Caller callers[kMostCallers];
pthread_t main_thread;
bool is_counting = false;
bool is_inside = false;  // the unwinder may allocate

const char* name_of(const link_map& library) {
    const char* slash = std::strrchr(library.l_name, '/');
    return library.l_name[0] == '\0' ? "host" : slash != nullptr ? slash + 1 : library.l_name;
}

bool is_system(const char* name) {
    for (const char* part :
         {"libc.so", "libstdc++.so", "libgcc_s.so", "libm.so", "ld-linux", "liballocation_counter"}) {
        if (std::strncmp(name, part, std::strlen(part)) == 0) {
            return true;
        }
    }
    return false;
}

_Unwind_Reason_Code visit(_Unwind_Context* context, void* found) {
    dl_find_object object;
    if (_dl_find_object(reinterpret_cast<void*>(_Unwind_GetIP(context) - 1), &object) != 0) {
        return _URC_NO_REASON;
    }
    if (is_system(name_of(*object.dlfo_link_map))) {
        return _URC_NO_REASON;
    }
    *static_cast<const link_map**>(found) = object.dlfo_link_map;
    return _URC_END_OF_STACK;
}

void count() {
    if (!is_counting || is_inside || !pthread_equal(pthread_self(), main_thread)) {
        return;
    }
    is_inside = true;
    const link_map* library = nullptr;
    _Unwind_Backtrace(visit, &library);
    for (Caller& caller : callers) {
        if (caller.calls == 0 || caller.library == library) {
            caller.library = library;
            ++caller.calls;
            break;
        }
    }
    is_inside = false;
}

__attribute__((constructor)) void begin() {
    main_thread = pthread_self();
    is_counting = std::getenv("SLUICE_ALLOCATIONS") != nullptr;
}

__attribute__((destructor)) void end() {
    if (!is_counting) {
        return;
    }
    is_counting = false;
    if (std::FILE* file = std::fopen(std::getenv("SLUICE_ALLOCATIONS"), "w")) {
        for (const Caller& caller : callers) {
            if (caller.calls > 0) {
                std::fprintf(file, "%s %lu\n", caller.library == nullptr ? "unknown" : name_of(*caller.library),
                             caller.calls);
            }
        }
        std::fclose(file);
    }
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) {
    count();
    return __libc_malloc(bytes);
}

void* calloc(std::size_t n, std::size_t bytes) {
    count();
    return __libc_calloc(n, bytes);
}

void* realloc(void* block, std::size_t bytes) {
    count();
    return __libc_realloc(block, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) {
    count();
    return __libc_memalign(alignment, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
    *block = memalign(alignment, bytes);
    return *block == nullptr ? ENOMEM : 0;
}
}
