/* The observer `example` writes tables to the run's folder: example.csv has the loss of each step, and
 * example_profile.csv the time of each operation in recorded steps. */
#include <errno.h>
#include <stdlib.h>

#include "sluice/kind/observer.h"
#include "sluice/sdk/c.h"

struct observer {
    int64_t every;
    char folder[4000]; /* of the run */
    FILE* table;       /* NULL before the run begins */
};

static sluice_status create(const sluice_host* host, const sluice_value* options, void** self, sluice_error* error) {
    struct observer* observer = malloc(sizeof(*observer));
    (void)host;
    if (observer == NULL) {
        return SLUICE_FAIL(error, SLUICE_NO_MEMORY, "no memory for the observer");
    }
    observer->every = sluice_integer_option(options, "every");
    observer->table = NULL;
    *self = observer;
    return SLUICE_OK;
}

static void destroy(void* self) {
    struct observer* observer = self;
    if (observer != NULL && observer->table != NULL) {
        (void)fclose(observer->table);
    }
    free(observer);
}

static uint64_t wants(void* self) {
    (void)self;
    return UINT64_C(1) << SLUICE_EVENT_RUN_BEGIN | UINT64_C(1) << SLUICE_EVENT_STEP |
           UINT64_C(1) << SLUICE_EVENT_PROFILE | UINT64_C(1) << SLUICE_EVENT_RUN_END;
}

/* Appends, because a resumed run has a table already. Returns NULL and fills in the error if that fails. */
static FILE* open_table(const struct observer* observer, const char* name, sluice_error* error) {
    char path[4096];
    FILE* table = NULL;
    (void)snprintf(path, sizeof(path), "%s/%s", observer->folder, name);
    table = fopen(path, "a");
    if (table == NULL) {
        (void)SLUICE_FAIL(error, SLUICE_FAILED, "cannot write %.300s: %s", path, strerror(errno));
    }
    return table;
}

static sluice_status begin(struct observer* observer, sluice_text folder, sluice_error* error) {
    if (folder.len >= sizeof(observer->folder)) {
        return SLUICE_FAIL(error, SLUICE_FAILED, "the name of the run's folder is too long");
    }
    (void)snprintf(observer->folder, sizeof(observer->folder), "%.*s", (int)folder.len, folder.ptr);
    observer->table = observer->table != NULL ? observer->table : open_table(observer, "example.csv", error);
    return observer->table != NULL ? SLUICE_OK : SLUICE_FAILED;
}

static double scalar(const sluice_event* event, const char* name) {
    uint64_t i;
    for (i = 0; i < event->scalar_count; ++i) {
        if (sluice_text_is(event->scalars[i].name, name)) {
            return event->scalars[i].value;
        }
    }
    return 0.0;
}

static const char* direction_of(uint32_t span_kind) {
    switch (span_kind) {
        case SLUICE_SPAN_FORWARD:
            return "forward";
        case SLUICE_SPAN_RECOMPUTE:
            return "recompute";
        case SLUICE_SPAN_BACKWARD:
            return "backward";
        case SLUICE_SPAN_OPTIMIZER:
            return "optimizer";
        default:
            return "kernel";
    }
}

static int is_stream(const sluice_profile* window, uint64_t number) {
    const sluice_profile_thread* thread = sluice_element(window->threads, window->thread_size, number);
    return number < window->thread_count && thread->kind == SLUICE_THREAD_STREAM;
}

/* The streams of a GPU have the time of its work. Launches on the threads of the CPU only enqueue that. */
static int has_streams(const sluice_profile* window) {
    uint64_t i = 0;
    while (i < window->thread_count && !is_stream(window, i)) {
        ++i;
    }
    return i < window->thread_count;
}

/* Writes a line for each operation: path, direction, number of launches and their milliseconds. */
static sluice_status write_window(const struct observer* observer, const sluice_profile* window, sluice_error* error) {
    const int on_streams = has_streams(window);
    FILE* table = open_table(observer, "example_profile.csv", error);
    int is_written = 1;
    uint64_t i, j;
    if (table == NULL) {
        return SLUICE_FAILED;
    }
    for (i = 0; i < window->operation_count; ++i) {
        const sluice_profile_operation* operation = sluice_element(window->operations, window->operation_size, i);
        int64_t count = 0, nanoseconds = 0;
        for (j = 0; j < window->span_count; ++j) {
            const sluice_span* span = sluice_element(window->spans, window->span_size, j);
            if (span->operation == i && is_stream(window, span->thread) == on_streams) {
                count += 1;
                nanoseconds += span->duration_ns;
            }
        }
        (void)fprintf(table, "\"%.*s\",%s,%lld,%.6g\n", (int)operation->path.len, operation->path.ptr,
                      direction_of(operation->span_kind), (long long)count, 1e-6 * (double)nanoseconds);
    }
    is_written = !ferror(table);
    if (fclose(table) != 0 || !is_written) {
        return SLUICE_FAIL(error, SLUICE_FAILED, "cannot write example_profile.csv: %s", strerror(errno));
    }
    return SLUICE_OK;
}

/* Called on the observers' own thread, one event after the other. The log reports a failure; the run continues. */
static sluice_status on_event(void* self, const sluice_event* event, sluice_error* error) {
    struct observer* observer = self;
    int written = 0;
    if (event->kind == SLUICE_EVENT_RUN_BEGIN) {
        return begin(observer, event->text, error);
    }
    if (observer->table == NULL) {
        return SLUICE_FAIL(error, SLUICE_FAILED, "there is no table to write to");
    }
    if (event->kind == SLUICE_EVENT_STEP && event->step % observer->every == 0) {
        written = fprintf(observer->table, "%lld,%.9g\n", (long long)event->step, scalar(event, "loss"));
    } else if (event->kind == SLUICE_EVENT_PROFILE && SLUICE_HAS_FIELD(event, profile)) {
        return write_window(observer, event->profile, error);
    } else if (event->kind == SLUICE_EVENT_RUN_END) {
        written = fflush(observer->table);
    }
    return written < 0 ? SLUICE_FAIL(error, SLUICE_FAILED, "cannot write the table: %s", strerror(errno)) : SLUICE_OK;
}

static const sluice_observer table = {create, destroy, wants, on_event};

SLUICE_SERVE(get, SLUICE_OBSERVER_V1, table)

static const sluice_component components[] = {{SLUICE_TEXT("com.acme.observer.example"), get}};

SLUICE_DEFINE_PLUGIN(components)
