/* sluice/abi.h - the rules and the frozen values of the Sluice plugin ABI, major 1.
 *
 * True of every line of every header in this folder:
 *  - Tables that a plugin serves never change: a new revision is a new id ("sluice.kernel/2").
 *    Structs that begin with struct_size grow at their end, are never smaller than in 1.0, and are never passed as
 *    arrays. Whoever creates one zeroes it and sets struct_size; whoever reads a field that came later than 1.0 looks
 *    first whether struct_size reaches it. Zero means "as before". No other struct ever changes. Members named reserved
 *    are 0 until a later minor gives them a meaning, whose 0 is "as before"; the host refuses others from a plugin.
 *  - Constants are added, never changed; SLUICE_ABI_MINOR counts additions of all sorts. Who does not know a kind, a
 *    flag or an element type that says what to do answers SLUICE_UNSUPPORTED and never takes it for another one. Fields
 *    of an unknown role are plain tensors; events of an unknown kind and scalars of an unknown name are passed over.
 *  - Pointers are borrowed until the call returns, in both directions; what is kept longer is copied. They are not NULL
 *    unless it is said; *self and *context may be, where there is no state, and are then not destroyed.
 *    Who allocates frees; nothing is freed across the line. Text is UTF-8 with a length and need not end in NUL. It is one
 *    line: the host shows control characters and what is no UTF-8 escaped, and refuses names with them.
 *  - No exception, panic, longjmp, abort, exit or print crosses. Outputs count only on SLUICE_OK. sluice_error comes in
 *    with empty texts. Rounding, locale, signal handlers and the working folder are left as they were found.
 *  - destroy functions never fail, and may write to the host's log.
 *  - Every function states a thread rule:
 *      [any]      from any thread, concurrently
 *      [serial]   never two calls at once on one object; different objects concurrently
 *      [enqueue]  serial, puts work on the stream that it is given and never waits for the device. What it puts there
 *                 may be recorded and run again without a call: it counts nothing, and keeps nothing from call to call
 *                 but in memory that the host gave for it
 *    Functions of sinks are called on the thread of the call that got the sink, until it returns.
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

/* How a call ended, and what the host does about it. Unknown values are read as SLUICE_FAILED. */
typedef int32_t sluice_status;
enum {
    SLUICE_OK = 0,
    SLUICE_FAILED = 1,      /* anything else: the run ends                                        */
    SLUICE_INVALID = 2,     /* an option or argument is wrong: the run ends, configuration error  */
    SLUICE_UNSUPPORTED = 3, /* not by this component: another kernel is asked, else the run ends  */
    SLUICE_NO_MEMORY = 4,   /* host or device memory is exhausted: the run ends                   */
    SLUICE_CANCELLED = 5,   /* as SLUICE_FAILED; kept for a service by which the host asks to stop */
    SLUICE_BAD_SAMPLE = 6,  /* this sample cannot be used: named; data.skip_bad says what follows */
    SLUICE_DEVICE_LOST = 7, /* the device is gone: the run ends                                   */
    SLUICE_REPLICA_LOST = 8 /* another replica is gone, hangs or is out of step: the run ends     */
};

/* The caller's memory, written only when a call fails. file and message end in NUL, cut where too long.
 * file and line name the place in the plugin's source, for its author. */
typedef struct sluice_error {
    uint32_t reserved;
    uint32_t line;
    char file[120];
    char message[384];
} sluice_error;

SLUICE_EXTERN_C_END
#endif
