/* Devices that use the machine's own memory. */
#include "sluice/kind/device.h"
#define MORE_INTERFACES(id) more_interfaces(id)
#include "device_step.h"
#include "plain_objects.h"

enum { BEFORE = 64 }; /* bytes before each block */

static sluice_status count_devices(const sluice_host* host, uint32_t* count, sluice_error* error) {
    (void)host, (void)error;
    *count = 1;
    return SLUICE_OK;
}

static sluice_status create_device(const sluice_host* host, const sluice_value* options, uint32_t index, void** self,
                                   sluice_error* error) {
    if (index > 0 && fault_of(options) != FAULT_has_any_number) {
        return fail(error, SLUICE_INVALID, "there is one device");
    }
    return create(host, options, self, error);
}

static sluice_status tell_info(void* self, sluice_device_info* info, sluice_error* error) {
    const struct object* device = self;
    (void)error;
    strcpy(info->name, "memory");
    info->free_bytes = 1 << 30;
    info->alignment = 64;
    info->ref.type = SLUICE_DEVICE_CPU;
    if (device->fault == FAULT_zeroes_what_it_does_not_know) {
        memset(info + 1, 0, info->struct_size - sizeof(*info));
    }
    return SLUICE_OK;
}

static sluice_status allocate(void* self, uint64_t bytes, void** block, sluice_error* error) {
    const struct object* device = self;
    char* start;
    if (bytes > (uint64_t)1 << 40) {
        if (device->fault == FAULT_takes_memory_for_granted) {
            *(volatile char*)malloc(bytes) = 0;
        }
        return fail(error, SLUICE_NO_MEMORY, "1 GiB is free");
    }
    start = aligned_alloc(BEFORE, (bytes + BEFORE - 1) / BEFORE * BEFORE + 2 * BEFORE);
    if (start == NULL) {
        return fail(error, SLUICE_NO_MEMORY, "no memory for a block");
    }
    *block = start + BEFORE + (device->fault == FAULT_is_not_aligned ? 16 : 0);
    return SLUICE_OK;
}

static void give_back(void* self, void* block) {
    const struct object* device = self;
    if (block != NULL || device->fault == FAULT_frees_nothing) {
        free((char*)block - BEFORE - (device->fault == FAULT_is_not_aligned ? 16 : 0));
    }
}

static sluice_status stream_create(void* self, void** stream, sluice_error* error) {
    (void)self, (void)error;
    *stream = NULL;
    return SLUICE_OK;
}

static void stream_destroy(void* self, void* stream) { (void)self, (void)stream; }

static sluice_status stream_wait(void* self, void* stream, sluice_error* error) {
    (void)self, (void)stream, (void)error;
    return SLUICE_OK;
}

static sluice_status copy(void* self, void* to, const void* from, uint64_t bytes, void* stream, sluice_error* error) {
    const struct object* device = self;
    (void)stream, (void)error;
    memcpy(to, from, device->fault == FAULT_copies_words ? bytes / 4 * 4 : bytes);
    return SLUICE_OK;
}

static sluice_status zero(void* self, void* block, uint64_t bytes, void* stream, sluice_error* error) {
    (void)self, (void)stream, (void)error;
    memset(block, 0, bytes);
    return SLUICE_OK;
}

static const void* more_interfaces(const char* id) { return strcmp(id, SLUICE_STEP_V1) == 0 ? &step_table : NULL; }

static const sluice_device table = {count_devices, create_device, destroy,   tell_info,     allocate,
                                    give_back,     allocate,      give_back, stream_create, stream_destroy,
                                    stream_wait,   copy,          zero};
FAULTY_PLUGIN(SLUICE_DEVICE_V1, table)
