/* The observer `example` writes the loss of each step to a table, example.csv in the run's folder. */
#include <errno.h>
#include <stdlib.h>

#include "sluice/kind/observer.h"
#include "sluice/sdk/c.h"

struct observer {
    int64_t every;
    FILE* table; /* NULL before the run begins */
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
           UINT64_C(1) << SLUICE_EVENT_RUN_END;
}

/* Appends, because a resumed run has a table already. */
static sluice_status begin(struct observer* observer, sluice_text folder, sluice_error* error) {
    char file[4096];
    if (snprintf(file, sizeof(file), "%.*s/example.csv", (int)folder.len, folder.ptr) >= (int)sizeof(file)) {
        return SLUICE_FAIL(error, SLUICE_FAILED, "the name of the run's folder is too long");
    }
    observer->table = observer->table != NULL ? observer->table : fopen(file, "a");
    if (observer->table == NULL) {
        return SLUICE_FAIL(error, SLUICE_FAILED, "cannot write %.300s: %s", file, strerror(errno));
    }
    return SLUICE_OK;
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
    } else if (event->kind == SLUICE_EVENT_RUN_END) {
        written = fflush(observer->table);
    }
    return written < 0 ? SLUICE_FAIL(error, SLUICE_FAILED, "cannot write the table: %s", strerror(errno)) : SLUICE_OK;
}

static const sluice_observer table = {create, destroy, wants, on_event};

SLUICE_SERVE(get, SLUICE_OBSERVER_V1, table)

static const sluice_component components[] = {{SLUICE_TEXT("com.acme.observer.example"), get}};

SLUICE_DEFINE_PLUGIN(components)
