/* sluice/abi.h - the rules and the frozen values of the Sluice plugin ABI, major 1.
 *
 * These rules hold for every line of every header in this folder:
 *  - Tables that a plugin serves never change: a new revision is a new table with a new id ("sluice.kernel/2").
 *    Structs that begin with struct_size grow at their end, are never smaller than in 1.0, and are never passed as
 *    arrays. The creator of one zeroes it and sets struct_size. The reader of a field that was added after 1.0 first
 *    checks that struct_size covers it. Zero means "as before". Elements of arrays that come with the size of one, such
 *    as span_size, grow at their end, too. No other struct ever changes. Members named reserved are 0 until a later
 *    minor gives them a meaning, whose 0 is "as before"; the host refuses others from a plugin.
 *  - Constants are added, never changed; SLUICE_ABI_MINOR counts additions of all sorts. A callee that must act on a
 *    kind, a flag or an element type, and does not know it, returns SLUICE_UNSUPPORTED. It never takes it for another
 *    one. Fields of an unknown role are plain tensors; events of an unknown kind and scalars of an unknown name are
 *    ignored.
 *  - Pointers are borrowed until the call returns, in both directions; a receiver copies what it keeps longer. They are
 *    not NULL unless a comment says so. *self and *context may be NULL if there is no state, and are then not
 *    destroyed. The side that allocates memory also frees it. Text is UTF-8 with a length and need not end in NUL. It
 *    is one line: the host escapes control characters and invalid UTF-8 when it shows text, and refuses names that
 *    contain them.
 *  - No exception, panic, longjmp, abort or exit leaves a call, and no call prints. The host reads outputs only after
 *    SLUICE_OK. It passes sluice_error with empty texts. A call leaves rounding, locale, signal handlers and the
 *    working folder as it found them.
 *  - destroy functions never fail, and may write to the host's log.
 *  - Every function states a thread rule:
 *      [any]      from any thread, concurrently
 *      [serial]   never two calls at once on one object; different objects concurrently
 *      [enqueue]  serial; puts work on the given stream and never waits for the device. The host may capture that work
 *                 in a graph and replay it without a call. So the function counts nothing, and keeps state between
 *                 calls only in memory that the host gave it
 *    Functions of sinks are called on the thread of the call that got the sink, and only until that call returns.
 *    Host services may be called inside every plugin call except supports().
 *  - Only fixed-width integers, double and pointers; 64-bit little-endian machines; no hidden padding. */
#ifndef SLUICE_ABI_H
#define SLUICE_ABI_H

#include <stddef.h>
#include <stdint.h>

#define SLUICE_ABI_MAJOR 1
#define SLUICE_ABI_MINOR 0

#define SLUICE_EXPORT __attribute__((visibility("default")))

#ifdef __cplusplus
#define SLUICE_NOEXCEPT noexcept
#define SLUICE_EXTERN_C_BEGIN extern "C" {
#define SLUICE_EXTERN_C_END }
#else
#define SLUICE_NOEXCEPT
#define SLUICE_EXTERN_C_BEGIN
#define SLUICE_EXTERN_C_END
#endif

SLUICE_EXTERN_C_BEGIN

/* UTF-8 bytes with a length; absent text has len 0 (ptr may then be NULL). */
typedef struct sluice_text {
    const char *ptr;
    uint64_t len;
} sluice_text;

#define SLUICE_TEXT(literal) { literal, sizeof(literal) - 1 }

/* The result of a call, and what the host does about it. Unknown values count as SLUICE_FAILED. */
typedef int32_t sluice_status;
enum {
    SLUICE_OK = 0,
    SLUICE_FAILED = 1,      /* any other error: the run fails                                     */
    SLUICE_INVALID = 2,     /* an option or argument is wrong: the run fails, configuration error */
    SLUICE_UNSUPPORTED = 3, /* not by this component: another kernel is asked, else the run fails */
    SLUICE_NO_MEMORY = 4,   /* host or device memory is exhausted: the run fails                  */
    SLUICE_CANCELLED = 5,   /* as SLUICE_FAILED; reserved for a service that asks a call to stop  */
    SLUICE_BAD_SAMPLE = 6,  /* this sample cannot be used: named; data.skip_bad decides           */
    SLUICE_DEVICE_LOST = 7, /* the device is gone: the run fails                                  */
    SLUICE_REPLICA_LOST = 8 /* another replica is gone, hangs or is out of step: the run fails    */
};

/* The caller's memory, written only when a call fails. file and message end in NUL and are truncated if too long.
 * file and line name the place in the plugin's source, for its author. */
typedef struct sluice_error {
    uint32_t reserved;
    uint32_t line;
    char file[120];
    char message[384];
} sluice_error;

SLUICE_EXTERN_C_END
#endif
