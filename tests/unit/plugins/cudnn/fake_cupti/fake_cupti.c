// CUPTI without a GPU: delivers the records that a test puts in. Its records have the sizes and places of CUDA 13.
#define _POSIX_C_SOURCE 199309L  // for CLOCK_MONOTONIC
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

enum { kSuccess = 0, kMaxLimitReached = 12, kNotInitialized = 15, kKinds = 64, kMostRecords = 256, kMostBytes = 216 };

typedef void (*request_function)(uint8_t**, size_t*, size_t*);
typedef void (*complete_function)(void*, uint32_t, uint8_t*, size_t, size_t);

static request_function request;
static complete_function complete;
static int is_enabled[kKinds];
static int refusals[kKinds];
static size_t dropped;
static uint8_t records[kMostRecords][kMostBytes];
static unsigned count;

static size_t size_of(uint32_t kind) { return kind == 10 ? 216 : kind == 1 ? 96 : kind == 2 ? 88 : 40; }

static void set(uint8_t* record, size_t place, const void* value, size_t bytes) {
    memcpy(record + place, value, bytes);
}

// ---- for tests

// Forgets all, and lets CUPTI refuse a kind with that status.
EXPORT void fake_cupti_begin(uint32_t refused_kind, int status) {
    memset(refusals, 0, sizeof(refusals));
    memset(is_enabled, 0, sizeof(is_enabled));
    refusals[refused_kind % kKinds] = status;
    count = 0;
    dropped = 0;
}

EXPORT void fake_cupti_drop(size_t more) { dropped += more; }

EXPORT int fake_cupti_is_enabled(uint32_t kind) { return is_enabled[kind]; }

// A kernel has a name; a copy has its kind in `copy_kind`; calls have neither GPU nor stream.
EXPORT void fake_cupti_put(uint32_t kind, uint32_t gpu, uint32_t stream, uint32_t correlation, uint64_t start,
                           uint64_t end, uint64_t bytes, uint8_t copy_kind, const char* name) {
    if (count == kMostRecords || !is_enabled[kind]) {
        return;
    }
    uint8_t* const record = records[count++];
    memset(record, 0xA5, kMostBytes);
    set(record, 0, &kind, 4);
    const int is_kernel = kind == 10;
    const int is_call = kind == 4 || kind == 5;
    set(record, is_call ? 8 : 16, &start, 8);
    set(record, is_call ? 16 : 24, &end, 8);
    set(record, is_kernel ? 92 : is_call ? 32 : 44, &correlation, 4);
    if (is_kernel) {
        set(record, 40, &gpu, 4);
        set(record, 48, &stream, 4);
        set(record, 104, &name, sizeof(name));
    } else if (!is_call) {
        record[4] = copy_kind;
        set(record, 8, &bytes, 8);
        set(record, 32, &gpu, 4);
        set(record, 40, &stream, 4);
    }
}

// ---- the interface of CUPTI

EXPORT int cuptiActivityRegisterCallbacks(request_function on_request, complete_function on_complete) {
    request = on_request;
    complete = on_complete;
    return kSuccess;
}
EXPORT int cuptiActivityEnable(uint32_t kind) {
    is_enabled[kind] = refusals[kind] == 0;
    return refusals[kind];
}
EXPORT int cuptiActivityDisable(uint32_t kind) {
    is_enabled[kind] = 0;
    return kSuccess;
}
// Fills buffers of at most three records.
EXPORT int cuptiActivityFlushAll(uint32_t flag) {
    (void)flag;
    for (unsigned next = 0; next < count;) {
        uint8_t* buffer = NULL;
        size_t bytes = 0;
        size_t most = 0;
        size_t used = 0;
        request(&buffer, &bytes, &most);
        if (buffer == NULL) {
            dropped += count - next;
            break;
        }
        for (int i = 0; i < 3 && next < count; ++i) {
            uint32_t kind = 0;
            memcpy(&kind, records[next], 4);
            memcpy(buffer + used, records[next++], size_of(kind));
            used += size_of(kind);
        }
        complete(NULL, 0, buffer, bytes, used);
    }
    count = 0;
    return kSuccess;
}
EXPORT int cuptiActivityGetNextRecord(uint8_t* buffer, size_t bytes, uint8_t** record) {
    uint32_t kind = 0;
    if (*record != NULL) {
        memcpy(&kind, *record, 4);
    }
    uint8_t* const next = *record == NULL ? buffer : *record + size_of(kind);
    if (next >= buffer + bytes) {
        return kMaxLimitReached;
    }
    *record = next;
    return kSuccess;
}
EXPORT int cuptiActivityGetNumDroppedRecords(void* context, uint32_t stream, size_t* number) {
    (void)context, (void)stream;
    *number = dropped;
    dropped = 0;
    return kSuccess;
}
// A clock of its own: it is 1000 seconds ahead of that of the host.
EXPORT int cuptiGetTimestamp(uint64_t* nanoseconds) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *nanoseconds = (uint64_t)(now.tv_sec + 1000) * 1000000000 + (uint64_t)now.tv_nsec;
    return kSuccess;
}
EXPORT int cuptiGetResultString(int status, const char** text) {
    *text = status == 35 ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES" : "CUPTI_ERROR_UNKNOWN";
    return status == 77 ? kNotInitialized : kSuccess;
}
