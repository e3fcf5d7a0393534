/* Devices whose work runs as late as possible: when the host waits for it. */
#include <time.h>

#define MORE_INTERFACES(id) more_interfaces(id)
#include "plain_objects.h"
#include "sluice/kind/device.h"
#include "sluice/kind/device_activity.h"
#include "sluice/kind/device_time.h"
#include "sluice/kind/streams.h"
#include "sluice/kind/usage.h"

enum { ALIGNMENT = 64, MOST = 256, MOST_ACTIVITIES = 64 };

struct work {
    void* to;
    const void* from; /* NULL: zeros */
    uint64_t bytes;
    struct event* passes;
    struct event* waits; /* its stream has to run up to waits_until */
    uint64_t waits_until;
    const struct list* runs;
    uint64_t* stamps;
    uint64_t stamp; /* 0: the time at which the work runs */
    uint64_t unit;  /* nanoseconds of one count of the clock */
};
struct list {
    uint64_t count;
    struct work work[MOST];
};
struct stream {
    struct list list;
    uint64_t done;
    struct list* recorded; /* NULL: there is no capture */
};
/* The activity of all devices, of which one is recorded at a time. */
static struct {
    sluice_activity all[MOST_ACTIVITIES];
    uint64_t count;
    int is_recorded;
    struct stream* stream; /* which got the last work */
} activity;
struct event {
    struct stream* stream; /* NULL: never recorded */
    uint64_t until;        /* number of works of its stream before it */
    struct timespec passed;
};

static sluice_status count_devices(const sluice_host* host, uint32_t* count, sluice_error* error) {
    (void)host, (void)error;
    *count = 1;
    return SLUICE_OK;
}

static sluice_status create_device(const sluice_host* host, const sluice_value* options, uint32_t index, void** self,
                                   sluice_error* error) {
    return index == 0 ? create(host, options, self, error) : fail(error, SLUICE_INVALID, "there is one device");
}

static sluice_status tell_info(void* self, sluice_device_info* info, sluice_error* error) {
    (void)self, (void)error;
    strcpy(info->name, "memory");
    info->free_bytes = 1 << 30;
    info->alignment = ALIGNMENT;
    info->ref.type = SLUICE_DEVICE_CPU;
    return SLUICE_OK;
}

static sluice_status allocate(void* self, uint64_t bytes, void** block, sluice_error* error) {
    void* start = bytes < (uint64_t)1 << 40 ? aligned_alloc(ALIGNMENT, (bytes / ALIGNMENT + 1) * ALIGNMENT) : NULL;
    (void)self;
    if (start == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "1 GiB is free");
    }
    *block = start;
    return SLUICE_OK;
}

static void give_back(void* self, void* block) {
    (void)self;
    free(block);
}

static sluice_status zeroed(size_t bytes, void** to, sluice_error* error) {
    void* start = calloc(1, bytes);
    if (start == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for an object");
    }
    *to = start;
    return SLUICE_OK;
}

static sluice_status stream_create(void* self, void** stream, sluice_error* error) {
    (void)self;
    return zeroed(sizeof(struct stream), stream, error);
}

static void run_until(struct stream* stream, uint64_t end);

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void run(struct stream* stream, const struct work* work) {
    const uint64_t begin = now();
    uint64_t i;
    if (work->to != NULL && work->from == NULL) {
        memset(work->to, 0, work->bytes);
    } else if (work->to != NULL) {
        memcpy(work->to, work->from, work->bytes);
    }
    if (work->to != NULL && activity.is_recorded && activity.count < MOST_ACTIVITIES) {
        sluice_activity* next = &activity.all[activity.count++];
        memset(next, 0, sizeof(*next));
        next->struct_size = sizeof(*next);
        next->begin_ns = (int64_t)begin;
        next->end_ns = (int64_t)now();
        next->launch_ns = -1;
        next->bytes = work->bytes;
        next->kind = work->from != NULL ? SLUICE_ACTIVITY_COPY : SLUICE_ACTIVITY_FILL;
        next->name.ptr = work->from != NULL ? "copy" : "fill";
        next->name.len = 4;
    }
    if (work->passes != NULL) {
        clock_gettime(CLOCK_MONOTONIC, &work->passes->passed);
    }
    if (work->waits != NULL) {
        run_until(work->waits->stream, work->waits_until);
    }
    if (work->stamps != NULL) {
        *work->stamps = (work->stamp != 0 ? work->stamp : now()) / work->unit;
    }
    for (i = 0; work->runs != NULL && i < work->runs->count; ++i) {
        run(stream, &work->runs->work[i]);
    }
}

static void run_until(struct stream* stream, uint64_t end) {
    while (stream->done < end) {
        run(stream, &stream->list.work[stream->done++]);
    }
}

static sluice_status put(const struct object* object, struct stream* stream, struct work work, sluice_error* error) {
    struct list* list;
    activity.is_recorded = activity.is_recorded || object->fault == FAULT_reports_what_ran_before;
    activity.stream = stream;
    if (stream == NULL) {
        run(NULL, &work);
        return SLUICE_OK;
    }
    if (stream->recorded != NULL && work.stamps == NULL && object->fault == FAULT_runs_while_it_records) {
        run(stream, &work);
    }
    list = stream->recorded != NULL ? stream->recorded : &stream->list;
    if (list->count == MOST) {
        return fail(error, SLUICE_FAILED, "there is no room for more work");
    }
    list->work[list->count++] = work;
    return SLUICE_OK;
}

static sluice_status stream_wait(void* self, void* stream, sluice_error* error) {
    struct stream* own = stream;
    (void)self, (void)error;
    if (own != NULL) {
        run_until(own, own->list.count);
    }
    return SLUICE_OK;
}

static sluice_status copy(void* self, void* to, const void* from, uint64_t bytes, void* stream, sluice_error* error) {
    const struct work work = {.to = to, .from = from, .bytes = bytes};
    return put(self, stream, work, error);
}

static sluice_status zero(void* self, void* block, uint64_t bytes, void* stream, sluice_error* error) {
    const struct work work = {.to = block, .bytes = bytes};
    return put(self, stream, work, error);
}

static sluice_status event_create(void* self, void** event, sluice_error* error) {
    (void)self;
    return zeroed(sizeof(struct event), event, error);
}

static sluice_status event_record(void* self, void* event, void* stream, sluice_error* error) {
    struct event* own = event;
    const struct work work = {.passes = own};
    const sluice_status status = put(self, stream, work, error);
    own->stream = stream;
    own->until = own->stream->list.count;
    return status;
}

static sluice_status stream_wait_event(void* self, void* stream, void* event, sluice_error* error) {
    const struct object* object = self;
    struct event* own = event;
    const struct work work = {.waits = own, .waits_until = own->until};
    return own->stream == NULL || object->fault == FAULT_ignores_other_streams ? SLUICE_OK
                                                                               : put(self, stream, work, error);
}

static sluice_status event_wait(void* self, void* event, sluice_error* error) {
    const struct object* object = self;
    const struct event* own = event;
    (void)error;
    if (own->stream != NULL && object->fault != FAULT_returns_before_events) {
        run_until(own->stream, own->until);
    }
    return SLUICE_OK;
}

static sluice_status event_seconds(void* self, void* from, void* to, double* seconds, sluice_error* error) {
    const struct object* object = self;
    const struct timespec begin = ((struct event*)from)->passed;
    const struct timespec end = ((struct event*)to)->passed;
    (void)error;
    *seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
    *seconds *= object->fault == FAULT_counts_time_backwards ? -1.0 : 1.0;
    return SLUICE_OK;
}

static sluice_status capture_begin(void* self, void* stream, sluice_error* error) {
    void* list;
    const sluice_status status = zeroed(sizeof(struct list), &list, error);
    (void)self;
    if (status == SLUICE_OK) {
        ((struct stream*)stream)->recorded = list;
    }
    return status;
}

static sluice_status capture_end(void* self, void* stream, void** graph, sluice_error* error) {
    struct stream* own = stream;
    (void)self, (void)error;
    *graph = own->recorded;
    own->recorded = NULL;
    return SLUICE_OK;
}

static sluice_status graph_launch(void* self, void* graph, void* stream, sluice_error* error) {
    const struct object* object = self;
    const struct work work = {.runs = graph};
    const sluice_status status = put(self, stream, work, error);
    if (object->fault == FAULT_forgets_what_it_recorded && ((struct list*)graph)->work[0].from != NULL) {
        stream_wait(self, stream, error);
        ((struct list*)graph)->count = 0;
    }
    return status;
}

static sluice_status stamp(void* self, void* stream, uint64_t* nanoseconds, sluice_error* error) {
    const struct object* object = self;
    const struct stream* own = stream;
    const int is_wrong = object->fault == FAULT_stamps_what_it_recorded && own != NULL && own->recorded != NULL;
    const struct work work = {.stamps = nanoseconds,
                              .stamp = is_wrong ? now() : 0,
                              .unit = object->fault == FAULT_counts_microseconds ? 1000 : 1};
    return put(self, stream, work, error);
}

static sluice_status start_activity(void* self, sluice_error* error) {
    const struct object* object = self;
    (void)error;
    activity.count = object->fault == FAULT_reports_what_ran_before ? activity.count : 0;
    activity.is_recorded = 1;
    activity.stream = NULL;
    return SLUICE_OK;
}

static sluice_status stop_activity(void* self, const sluice_activity_sink* sink, sluice_error* error) {
    const struct object* object = self;
    uint64_t i;
    stream_wait(self, activity.stream, error);
    for (i = 0; i < activity.count; ++i) {
        sluice_activity* one = &activity.all[i];
        one->begin_ns += object->fault == FAULT_reports_its_own_clock ? 1000000000 : 0;
        one->end_ns += object->fault == FAULT_reports_its_own_clock ? 1000000000 : 0;
        one->end_ns = object->fault == FAULT_ends_before_it_begins ? one->begin_ns - 1 : one->end_ns;
        sink->add(sink, one);
    }
    activity.count = 0;
    activity.is_recorded = 0;
    return SLUICE_OK;
}

static sluice_status read_usage(void* self, sluice_usage_figures* figures, sluice_error* error) {
    const struct object* object = self;
    const sluice_usage_figures all = {.struct_size = figures->struct_size, /* may be smaller than this struct */
                                      .busy_share = object->fault == FAULT_tells_percent ? 40.0 : 0.4,
                                      .used_bytes = 1e9,
                                      .power_watts = 300.0,
                                      .celsius = -1.0,
                                      .clock_hertz = -1.0,
                                      .limit = "heat"};
    (void)error;
    if (object->fault == FAULT_fills_more_than_was_asked || figures->struct_size > sizeof(all)) {
        memcpy(figures, &all, sizeof(all));
    } else {
        memcpy(figures, &all, figures->struct_size);
    }
    return SLUICE_OK;
}

static const sluice_streams streams_table = {event_create,  give_back,     event_record, stream_wait_event, event_wait,
                                             event_seconds, capture_begin, capture_end,  graph_launch,      give_back};
static const sluice_usage usage_table = {read_usage};
static const sluice_device_time time_table = {stamp};
static const sluice_device_activity activity_table = {start_activity, stop_activity};
static const void* more_interfaces(const char* id) {
    if (strcmp(id, SLUICE_STREAMS_V1) == 0) {
        return &streams_table;
    }
    if (strcmp(id, SLUICE_DEVICE_TIME_V1) == 0) {
        return &time_table;
    }
    if (strcmp(id, SLUICE_DEVICE_ACTIVITY_V1) == 0) {
        return &activity_table;
    }
    return strcmp(id, SLUICE_USAGE_V1) == 0 ? &usage_table : NULL;
}

static const sluice_device table = {count_devices, create_device, destroy,   tell_info,   allocate, give_back, allocate,
                                    give_back,     stream_create, give_back, stream_wait, copy,     zero};
FAULTY_PLUGIN(SLUICE_DEVICE_V1, table)
