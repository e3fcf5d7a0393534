/* sluice/kind/streams.h - for a device whose work runs later: events, and graphs that are captured once and replayed.
 *
 * A device component serves it in addition to sluice.device/1; self and the streams are those of that table. A device
 * without it has finished each call when it returns. The next stream_wait or event_wait reports an error of earlier
 * work. */
#ifndef SLUICE_KIND_STREAMS_H
#define SLUICE_KIND_STREAMS_H

#include "sluice/kind/device.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_STREAMS_V1 "sluice.streams/1"
typedef struct sluice_streams {
    /* Creates an event: a mark that a stream passes. The plugin owns *event until event_destroy. [serial] */
    sluice_status (*event_create)(void *self, void **event, sluice_error *error) SLUICE_NOEXCEPT;
    /* event may be NULL. [serial] */
    void (*event_destroy)(void *self, void *event) SLUICE_NOEXCEPT;
    /* Places the mark after all work that is on the stream now; its former place is forgotten. [enqueue] */
    sluice_status (*event_record)(void *self, void *event, void *stream, sluice_error *error) SLUICE_NOEXCEPT;
    /* Work put on the stream later starts after the event has passed. An event that was never recorded has passed.
     * [enqueue] */
    sluice_status (*stream_wait_event)(void *self, void *stream, void *event, sluice_error *error) SLUICE_NOEXCEPT;
    /* Returns when the event has passed, with the first error of the work before it. [any] */
    sluice_status (*event_wait)(void *self, void *event, sluice_error *error) SLUICE_NOEXCEPT;
    /* Returns the seconds from one event to another; both must have passed. [any] */
    sluice_status (*event_seconds)(void *self, void *from, void *to, double *seconds, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* From now on the calling thread's work for this stream is captured, not run. [serial] */
    sluice_status (*capture_begin)(void *self, void *stream, sluice_error *error) SLUICE_NOEXCEPT;
    /* Ends the capture. The plugin owns *graph until graph_destroy. If a call could not be captured, it returns
     * SLUICE_FAILED and leaves *graph untouched: nothing has run, and the stream can be used again. [serial] */
    sluice_status (*capture_end)(void *self, void *stream, void **graph, sluice_error *error) SLUICE_NOEXCEPT;
    /* Replays the captured work, with the addresses of the capture. [enqueue] */
    sluice_status (*graph_launch)(void *self, void *graph, void *stream, sluice_error *error) SLUICE_NOEXCEPT;
    /* Called after its last launch has finished; graph may be NULL. [serial] */
    void (*graph_destroy)(void *self, void *graph) SLUICE_NOEXCEPT;
} sluice_streams;

SLUICE_EXTERN_C_END
#endif
