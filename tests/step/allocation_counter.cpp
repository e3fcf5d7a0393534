// A preloaded library that counts the calls to the allocator, by the kind of the thread and the library that called.
// When the program exits, it writes "kind library calls" to the file that SLUICE_ALLOCATIONS names. The caller is the
// first stack frame outside of the C and C++ libraries, so that a std::vector of ours counts as ours. The last frame
// outside of the C library shows who started the thread.
#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <mutex>
#include <string_view>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

struct Caller {
    const char* thread = nullptr;  // a result of kind_of()
    const link_map* library = nullptr;
    unsigned long calls = 0;
};

struct Stack {
    const link_map* caller = nullptr;
    const link_map* root = nullptr;
};

constexpr std::size_t kMostCallers = 256;
Caller callers[kMostCallers];
std::mutex callers_mutex;
bool is_counting = false;
// True while count() runs, because the unwinder may allocate. The variable exists from the start of its thread:
// creating it later would allocate, too.
[[gnu::tls_model("initial-exec")]] thread_local bool is_inside = false;

const char* name_of(const link_map& library) {
    const char* slash = std::strrchr(library.l_name, '/');
    return library.l_name[0] == '\0' ? "host" : slash != nullptr ? slash + 1 : library.l_name;
}

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts, [&](std::string_view part) { return name.starts_with(part); });
}

// Returns "main", "team" for a thread of the OpenMP team, or "beside" for data workers and observers.
const char* kind_of(const link_map* root) {
    const char* name = root == nullptr ? "" : name_of(*root);
    return std::strcmp(name, "host") == 0 ? "main" : is_any_of(name, {"libgomp"}) ? "team" : "beside";
}

// The program has an operator new of its own. Like that of libstdc++, it allocates for its caller.
bool is_operator_new(_Unwind_Context* context) {
    static void* const functions[] = {::dlsym(RTLD_DEFAULT, "_Znwm"), ::dlsym(RTLD_DEFAULT, "_ZnwmSt11align_val_t")};
    void* const function = reinterpret_cast<void*>(_Unwind_GetRegionStart(context));
    return std::ranges::find(functions, function) != std::end(functions);
}

_Unwind_Reason_Code visit(_Unwind_Context* context, void* found) {
    dl_find_object object;
    if (_dl_find_object(reinterpret_cast<void*>(_Unwind_GetIP(context) - 1), &object) != 0) {
        return _URC_NO_REASON;
    }
    Stack& stack = *static_cast<Stack*>(found);
    const char* name = name_of(*object.dlfo_link_map);
    if (is_any_of(name, {"libc.so", "ld-linux", "liballocation_counter"})) {
        return _URC_NO_REASON;
    }
    stack.root = object.dlfo_link_map;
    if (stack.caller == nullptr && !is_any_of(name, {"libstdc++.so", "libgcc_s.so", "libm.so"}) &&
        !is_operator_new(context)) {
        stack.caller = object.dlfo_link_map;
    }
    return _URC_NO_REASON;
}

void count() {
    if (!is_counting || is_inside) {
        return;
    }
    is_inside = true;
    Stack stack;
    _Unwind_Backtrace(visit, &stack);
    const char* thread = kind_of(stack.root);
    {
        const std::lock_guard lock(callers_mutex);
        for (Caller& caller : callers) {
            if (caller.calls == 0 || (caller.library == stack.caller && caller.thread == thread)) {
                caller = {thread, stack.caller, caller.calls + 1};
                break;
            }
        }
    }
    is_inside = false;
}

__attribute__((constructor)) void begin() { is_counting = std::getenv("SLUICE_ALLOCATIONS") != nullptr; }

__attribute__((destructor)) void end() {
    if (!is_counting) {
        return;
    }
    is_counting = false;
    if (std::FILE* file = std::fopen(std::getenv("SLUICE_ALLOCATIONS"), "w")) {
        for (const Caller& caller : callers) {
            if (caller.calls > 0) {
                std::fprintf(file, "%s %s %lu\n", caller.thread,
                             caller.library == nullptr ? "unknown" : name_of(*caller.library), caller.calls);
            }
        }
        std::fclose(file);
    }
}

}  // namespace

extern "C" {

// Returns the calls so far of the training thread and its team, without those of oneDNN and the OpenMP runtime.
unsigned long sluice_test_allocations() {
    const std::lock_guard lock(callers_mutex);
    unsigned long calls = 0;
    for (const Caller& caller : callers) {
        const bool is_ours =
            caller.calls > 0 && std::strcmp(caller.thread, "beside") != 0 &&
            !(caller.library != nullptr && is_any_of(name_of(*caller.library), {"libdnnl", "libgomp"}));
        calls += is_ours ? caller.calls : 0;
    }
    return calls;
}

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
