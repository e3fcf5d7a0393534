/* Observers that want every event. */
#include <fenv.h>
#include <math.h>

#include "faults.h"
#include "sluice/kind/observer.h"

static int is_asleep;
static int ends_badly;

static void __attribute__((destructor)) end(void) {
    if (ends_badly) {
        abort();
    }
}

struct observer {
    enum fault fault;
    volatile double loss;
    char folder[500];
    FILE* log; /* NULL if it cannot be opened */
    const sluice_profile* window;
};

static sluice_status create(const sluice_host* host, const sluice_value* options, void** self, sluice_error* error) {
    struct observer* observer = calloc(1, sizeof(*observer));
    (void)host;
    if (observer == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for an object");
    }
    observer->fault = fault_of(options);
    ends_badly = observer->fault == FAULT_ends_badly;
    if (observer->fault == FAULT_cannot_be_made) {
        free(observer);
        return fail(error, SLUICE_INVALID, "nothing is right");
    }
    *self = observer;
    return SLUICE_OK;
}

static void destroy(void* self) {
    struct observer* observer = self;
    if (observer->log != NULL) {
        fclose(observer->log);
    }
    free(observer);
}

static uint64_t wants(void* self) {
    (void)self;
    return ~(uint64_t)0;
}

/* Goes from one span to the next by the size that it knows. */
static sluice_status write_time(const struct observer* observer, const sluice_profile* window, sluice_error* error) {
    FILE* file = fopen(observer->folder, "a");
    int64_t sum = 0;
    uint64_t i;
    if (file == NULL) {
        return fail(error, SLUICE_FAILED, "cannot open the log");
    }
    for (i = 0; i < window->span_count; ++i) {
        sum += window->spans[i].duration_ns;
    }
    fprintf(file, "%lld\n", (long long)sum);
    fclose(file);
    return SLUICE_OK;
}

static sluice_status take_window(struct observer* observer, const sluice_profile* window, sluice_error* error) {
    uint64_t i;
    if (observer->fault == FAULT_reads_the_first_span) {
        observer->loss = (double)window->spans[0].begin_ns;
    }
    for (i = 0; observer->fault == FAULT_trusts_the_names && i < window->span_count; ++i) {
        const sluice_span* span = (const sluice_span*)((const char*)window->spans + i * window->span_size);
        observer->loss = (double)window->names[span->name].len;
    }
    observer->window = observer->fault == FAULT_keeps_the_window ? window : NULL;
    return observer->fault == FAULT_ignores_the_span_size ? write_time(observer, window, error) : SLUICE_OK;
}

static sluice_status on_event(void* self, const sluice_event* event, sluice_error* error) {
    struct observer* observer = self;
    uint64_t i;
    while (observer->fault == FAULT_never_returns) {
        pause();
    }
    if (observer->fault == FAULT_rounds_down) {
        fesetround(FE_DOWNWARD);
    }
    if (observer->fault == FAULT_knows_one_size && event->struct_size > sizeof(*event)) {
        return fail(error, SLUICE_FAILED, "this is no event");
    }
    if (observer->fault == FAULT_fails_at_the_unknown && event->kind > SLUICE_EVENT_PROFILE) {
        return fail(error, SLUICE_FAILED, "what is this?");
    }
    if (observer->fault == FAULT_is_slow && event->kind == SLUICE_EVENT_SAMPLES && !is_asleep) {
        is_asleep = 1; /* once is enough */
        usleep(1200000);
    }
    for (i = 0; observer->fault == FAULT_needs_numbers && i < event->scalar_count; ++i) {
        if (isnan(event->scalars[i].value)) {
            abort();
        }
    }
    if (observer->fault == FAULT_reads_the_first_scalar && event->kind == SLUICE_EVENT_STEP) {
        observer->loss = event->scalars[0].value;
    }
    if (observer->fault == FAULT_reads_beyond_an_event && event->profile != NULL) {
        observer->loss = (double)event->profile->span_count;
    }
    if (observer->window != NULL) {
        observer->loss = (double)observer->window->span_count;
    }
    if (event->kind == SLUICE_EVENT_PROFILE) {
        return take_window(observer, event->profile, error);
    }
    if (event->kind == SLUICE_EVENT_RUN_BEGIN) {
        snprintf(observer->folder, sizeof(observer->folder), "%.*s/log", (int)event->text.len, event->text.ptr);
    }
    if (observer->fault == FAULT_needs_its_folder) {
        FILE* file = fopen(observer->folder, "a");
        fprintf(file, "%d\n", (int)event->step); /* file may be NULL */
        fclose(file);
    }
    if (observer->fault == FAULT_goes_on_without_its_log) {
        if (event->kind == SLUICE_EVENT_RUN_BEGIN) {
            if (observer->log != NULL) {
                fclose(observer->log);
            }
            observer->log = fopen(observer->folder, "a");
            return observer->log != NULL ? SLUICE_OK : fail(error, SLUICE_FAILED, "cannot open the log");
        }
        fprintf(observer->log, "%d\n", (int)event->step);
    }
    return SLUICE_OK;
}

static const sluice_observer table = {create, destroy, wants, on_event};
FAULTY_PLUGIN(SLUICE_OBSERVER_V1, table)
