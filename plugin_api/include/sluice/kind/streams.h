/* sluice/kind/streams.h - for a device whose work runs later: events, and work that is recorded once and run often.
 *
 * A device component serves it beside sluice.device/1; self and the streams are those of that table. A device without it
 * has finished each call when it returns. An error of work that runs later is reported by the next stream_wait or
 * event_wait. */
#ifndef SLUICE_KIND_STREAMS_H
#define SLUICE_KIND_STREAMS_H

#include "sluice/kind/device.h"

SLUICE_EXTERN_C_BEGIN

#define SLUICE_STREAMS_V1 "sluice.streams/1"
typedef struct sluice_streams {
    /* An event: a mark that a stream passes. *event is the plugin's, until event_destroy. [serial] */
    sluice_status (*event_create)(void *self, void **event, sluice_error *error) SLUICE_NOEXCEPT;
    /* event may be NULL. [serial] */
    void (*event_destroy)(void *self, void *event) SLUICE_NOEXCEPT;
    /* Puts the mark behind all that is on the stream now; where it was before is forgotten. [enqueue] */
    sluice_status (*event_record)(void *self, void *event, void *stream, sluice_error *error) SLUICE_NOEXCEPT;
    /* What is put on the stream later starts after the event has passed. One never recorded has passed. [enqueue] */
    sluice_status (*stream_wait_event)(void *self, void *stream, void *event, sluice_error *error) SLUICE_NOEXCEPT;
    /* Returns when the event has passed, with the first error of the work before it. [any] */
    sluice_status (*event_wait)(void *self, void *event, sluice_error *error) SLUICE_NOEXCEPT;
    /* Seconds from one event to another, which both have passed. [any] */
    sluice_status (*event_seconds)(void *self, void *from, void *to, double *seconds, sluice_error *error)
        SLUICE_NOEXCEPT;
    /* From here on the calling thread's work for this stream is recorded and not run. [serial] */
    sluice_status (*capture_begin)(void *self, void *stream, sluice_error *error) SLUICE_NOEXCEPT;
    /* Ends the recording. *graph is the plugin's, until graph_destroy. SLUICE_FAILED, with *graph untouched, where
     * something that was called cannot be recorded: nothing of it has run, and the stream can be used again. [serial] */
    sluice_status (*capture_end)(void *self, void *stream, void **graph, sluice_error *error) SLUICE_NOEXCEPT;
    /* Runs what was recorded, with the addresses that it was recorded with. [enqueue] */
    sluice_status (*graph_launch)(void *self, void *graph, void *stream, sluice_error *error) SLUICE_NOEXCEPT;
    /* After its last launch has finished; graph may be NULL. [serial] */
    void (*graph_destroy)(void *self, void *graph) SLUICE_NOEXCEPT;
} sluice_streams;

SLUICE_EXTERN_C_END
#endif
