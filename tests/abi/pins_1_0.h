/* The layout of the ABI as 1.0 froze it: every struct, field with its type, and constant of plugin_api's headers. The
 * file that includes this one defines what a pin checks. No line here ever changes: what a later minor adds is pinned
 * in a file of that minor. Of structs that begin with struct_size the size is the least. */

/* sluice/abi.h */
SLUICE_PIN_VALUE(SLUICE_ABI_MAJOR, 1)
SLUICE_PIN_SIZE(sluice_text, 16)
SLUICE_PIN_FIELD(sluice_text, ptr, 0, const char*)
SLUICE_PIN_FIELD(sluice_text, len, 8, uint64_t)
SLUICE_PIN_SIZE(sluice_status, 4)
SLUICE_PIN_VALUE(SLUICE_OK, 0)
SLUICE_PIN_VALUE(SLUICE_FAILED, 1)
SLUICE_PIN_VALUE(SLUICE_INVALID, 2)
SLUICE_PIN_VALUE(SLUICE_UNSUPPORTED, 3)
SLUICE_PIN_VALUE(SLUICE_NO_MEMORY, 4)
SLUICE_PIN_VALUE(SLUICE_CANCELLED, 5)
SLUICE_PIN_VALUE(SLUICE_BAD_SAMPLE, 6)
SLUICE_PIN_VALUE(SLUICE_DEVICE_LOST, 7)
SLUICE_PIN_VALUE(SLUICE_REPLICA_LOST, 8)
SLUICE_PIN_SIZE(sluice_error, 512)
SLUICE_PIN_FIELD(sluice_error, reserved, 0, uint32_t)
SLUICE_PIN_FIELD(sluice_error, line, 4, uint32_t)
SLUICE_PIN_FIELD(sluice_error, file, 8, char[120])
SLUICE_PIN_FIELD(sluice_error, message, 128, char[384])

/* sluice/host.h */
SLUICE_PIN_SIZE(sluice_host, 24)
SLUICE_PIN_FIELD(sluice_host, abi_major, 0, uint32_t)
SLUICE_PIN_FIELD(sluice_host, abi_minor, 4, uint32_t)
SLUICE_PIN_FIELD(sluice_host, impl, 8, void*)
SLUICE_PIN_FIELD(sluice_host, get, 16, const void* (*)(const struct sluice_host*, const char*)SLUICE_NOEXCEPT)
SLUICE_PIN_VALUE(SLUICE_LOG_DEBUG, 0)
SLUICE_PIN_VALUE(SLUICE_LOG_INFO, 1)
SLUICE_PIN_VALUE(SLUICE_LOG_WARNING, 2)
SLUICE_PIN_VALUE(SLUICE_LOG_ERROR, 3)
SLUICE_PIN_TEXT(SLUICE_LOG_V1, "sluice.log/1")
SLUICE_PIN_SIZE(sluice_log, 16)
SLUICE_PIN_FIELD(sluice_log, level, 0, uint32_t (*)(const sluice_host*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_log, write, 8, void (*)(const sluice_host*, uint32_t, sluice_text) SLUICE_NOEXCEPT)
SLUICE_PIN_TEXT(SLUICE_MACHINE_V1, "sluice.machine/1")
SLUICE_PIN_SIZE(sluice_machine, 16)
SLUICE_PIN_FIELD(sluice_machine, usable_cores, 0, uint32_t (*)(const sluice_host*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_machine, available_memory, 8, uint64_t (*)(const sluice_host*) SLUICE_NOEXCEPT)
SLUICE_PIN_SIZE(sluice_threads, 32)
SLUICE_PIN_FIELD(sluice_threads, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_threads, impl, 8, void*)
SLUICE_PIN_FIELD(sluice_threads, count, 16, uint32_t)
SLUICE_PIN_FIELD(sluice_threads, reserved, 20, uint32_t)
SLUICE_PIN_FIELD(sluice_threads, parallel_for, 24,
                 void (*)(const struct sluice_threads*, int64_t, int64_t,
                          void (*)(void*, int64_t, int64_t, uint32_t) SLUICE_NOEXCEPT, void*) SLUICE_NOEXCEPT)

/* sluice/fault_guard.h */
SLUICE_PIN_TEXT(SLUICE_FAULT_GUARD_V1, "sluice.fault_guard/1")
SLUICE_PIN_SIZE(sluice_fault_guard, 8)
SLUICE_PIN_FIELD(sluice_fault_guard, run, 0,
                 uint32_t (*)(const sluice_host*, void (*)(void*) SLUICE_NOEXCEPT, void*) SLUICE_NOEXCEPT)

/* sluice/options.h */
SLUICE_PIN_VALUE(SLUICE_NIL, 0)
SLUICE_PIN_VALUE(SLUICE_BOOL, 1)
SLUICE_PIN_VALUE(SLUICE_INT, 2)
SLUICE_PIN_VALUE(SLUICE_FLOAT, 3)
SLUICE_PIN_VALUE(SLUICE_STRING, 4)
SLUICE_PIN_VALUE(SLUICE_ARRAY, 5)
SLUICE_PIN_VALUE(SLUICE_TABLE, 6)
SLUICE_PIN_SIZE(sluice_value, 24)
SLUICE_PIN_FIELD(sluice_value, kind, 0, uint32_t)
SLUICE_PIN_FIELD(sluice_value, line, 4, uint32_t)
SLUICE_PIN_FIELD(sluice_value, count, 8, uint64_t)
SLUICE_PIN_OFFSET(sluice_value, as, 16)
SLUICE_PIN_FIELD(sluice_value, as.i, 16, int64_t)
SLUICE_PIN_FIELD(sluice_value, as.f, 16, double)
SLUICE_PIN_FIELD(sluice_value, as.text, 16, const char*)
SLUICE_PIN_FIELD(sluice_value, as.items, 16, const struct sluice_value*)
SLUICE_PIN_FIELD(sluice_value, as.pairs, 16, const struct sluice_pair*)
SLUICE_PIN_SIZE(sluice_pair, 40)
SLUICE_PIN_FIELD(sluice_pair, key, 0, sluice_text)
SLUICE_PIN_FIELD(sluice_pair, value, 16, sluice_value)

/* sluice/plugin.h */
SLUICE_PIN_TEXT(SLUICE_MANIFEST_SECTION, ".sluice.manifest")
SLUICE_PIN_TEXT(SLUICE_PLUGIN_SYMBOL, "sluice_plugin_v1")
SLUICE_PIN_SIZE(sluice_component, 24)
SLUICE_PIN_FIELD(sluice_component, id, 0, sluice_text)
SLUICE_PIN_FIELD(sluice_component, get, 16, const void* (*)(const struct sluice_component*, const char*)SLUICE_NOEXCEPT)
SLUICE_PIN_SIZE(sluice_plugin, 40)
SLUICE_PIN_FIELD(sluice_plugin, abi_major, 0, uint32_t)
SLUICE_PIN_FIELD(sluice_plugin, abi_minor, 4, uint32_t)
SLUICE_PIN_FIELD(sluice_plugin, component_count, 8, uint32_t)
SLUICE_PIN_FIELD(sluice_plugin, reserved, 12, uint32_t)
SLUICE_PIN_FIELD(sluice_plugin, components, 16, const sluice_component*)
SLUICE_PIN_FIELD(sluice_plugin, open, 24, sluice_status (*)(const sluice_host*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_plugin, close, 32, void (*)(void) SLUICE_NOEXCEPT)

/* sluice/random.h */
SLUICE_PIN_SIZE(sluice_random_key, 24)
SLUICE_PIN_FIELD(sluice_random_key, seed, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_random_key, stream, 8, uint64_t)
SLUICE_PIN_FIELD(sluice_random_key, counter, 16, uint64_t)

/* sluice/tensor.h */
SLUICE_PIN_VALUE(SLUICE_DEVICE_CPU, 1)
SLUICE_PIN_VALUE(SLUICE_DEVICE_CUDA, 2)
SLUICE_PIN_SIZE(sluice_device_ref, 8)
SLUICE_PIN_FIELD(sluice_device_ref, type, 0, int32_t)
SLUICE_PIN_FIELD(sluice_device_ref, index, 4, int32_t)
SLUICE_PIN_VALUE(SLUICE_CODE_INT, 0)
SLUICE_PIN_VALUE(SLUICE_CODE_UINT, 1)
SLUICE_PIN_VALUE(SLUICE_CODE_FLOAT, 2)
SLUICE_PIN_VALUE(SLUICE_CODE_BFLOAT, 4)
SLUICE_PIN_SIZE(sluice_dtype, 4)
SLUICE_PIN_FIELD(sluice_dtype, code, 0, uint8_t)
SLUICE_PIN_FIELD(sluice_dtype, bits, 1, uint8_t)
SLUICE_PIN_FIELD(sluice_dtype, lanes, 2, uint16_t)
SLUICE_PIN_SIZE(sluice_tensor, 48)
SLUICE_PIN_FIELD(sluice_tensor, data, 0, void*)
SLUICE_PIN_FIELD(sluice_tensor, device, 8, sluice_device_ref)
SLUICE_PIN_FIELD(sluice_tensor, rank, 16, int32_t)
SLUICE_PIN_FIELD(sluice_tensor, dtype, 20, sluice_dtype)
SLUICE_PIN_FIELD(sluice_tensor, shape, 24, const int64_t*)
SLUICE_PIN_FIELD(sluice_tensor, strides, 32, const int64_t*)
SLUICE_PIN_FIELD(sluice_tensor, byte_offset, 40, uint64_t)
SLUICE_PIN_VALUE(SLUICE_MAX_RANK, 8)
SLUICE_PIN_SIZE(sluice_tensor_spec, 72)
SLUICE_PIN_FIELD(sluice_tensor_spec, shape, 0, int64_t[SLUICE_MAX_RANK])
SLUICE_PIN_FIELD(sluice_tensor_spec, rank, 64, int32_t)
SLUICE_PIN_FIELD(sluice_tensor_spec, dtype, 68, sluice_dtype)

/* sluice/kind/device.h */
SLUICE_PIN_SIZE(sluice_device_info, 128)
SLUICE_PIN_FIELD(sluice_device_info, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_device_info, name, 8, char[96])
SLUICE_PIN_FIELD(sluice_device_info, free_bytes, 104, uint64_t)
SLUICE_PIN_FIELD(sluice_device_info, alignment, 112, uint64_t)
SLUICE_PIN_FIELD(sluice_device_info, ref, 120, sluice_device_ref)
SLUICE_PIN_TEXT(SLUICE_DEVICE_V1, "sluice.device/1")
SLUICE_PIN_SIZE(sluice_device, 104)
SLUICE_PIN_FIELD(sluice_device, count, 0,
                 sluice_status (*)(const sluice_host*, uint32_t*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_device, create, 8,
                 sluice_status (*)(const sluice_host*, const sluice_value*, uint32_t, void**, sluice_error*)
                     SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_device, destroy, 16, void (*)(void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_device, info, 24, sluice_status (*)(void*, sluice_device_info*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_device, alloc, 32, sluice_status (*)(void*, uint64_t, void**, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_device, free, 40, void (*)(void*, void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_device, host_alloc, 48,
                 sluice_status (*)(void*, uint64_t, void**, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_device, host_free, 56, void (*)(void*, void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_device, stream_create, 64, sluice_status (*)(void*, void**, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_device, stream_destroy, 72, void (*)(void*, void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_device, stream_wait, 80, sluice_status (*)(void*, void*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_device, copy, 88,
                 sluice_status (*)(void*, void*, const void*, uint64_t, void*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_device, zero, 96,
                 sluice_status (*)(void*, void*, uint64_t, void*, sluice_error*) SLUICE_NOEXCEPT)

/* sluice/kind/kernel.h */
SLUICE_PIN_VALUE(SLUICE_NODE_TRAIN, 1)
SLUICE_PIN_VALUE(SLUICE_NODE_DETERMINISTIC, 2)
SLUICE_PIN_SIZE(sluice_node, 128)
SLUICE_PIN_FIELD(sluice_node, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_node, type, 8, sluice_text)
SLUICE_PIN_FIELD(sluice_node, path, 24, sluice_text)
SLUICE_PIN_FIELD(sluice_node, options, 40, const sluice_value*)
SLUICE_PIN_FIELD(sluice_node, inputs, 48, const sluice_tensor_spec*)
SLUICE_PIN_FIELD(sluice_node, outputs, 56, const sluice_tensor_spec*)
SLUICE_PIN_FIELD(sluice_node, parameters, 64, const sluice_tensor_spec*)
SLUICE_PIN_FIELD(sluice_node, states, 72, const sluice_tensor_spec*)
SLUICE_PIN_FIELD(sluice_node, input_count, 80, uint32_t)
SLUICE_PIN_FIELD(sluice_node, output_count, 84, uint32_t)
SLUICE_PIN_FIELD(sluice_node, parameter_count, 88, uint32_t)
SLUICE_PIN_FIELD(sluice_node, state_count, 92, uint32_t)
SLUICE_PIN_FIELD(sluice_node, wanted_gradients, 96, uint64_t)
SLUICE_PIN_FIELD(sluice_node, accumulated_gradients, 104, uint64_t)
SLUICE_PIN_FIELD(sluice_node, chained_input, 112, int32_t)
SLUICE_PIN_FIELD(sluice_node, flags, 116, uint32_t)
SLUICE_PIN_FIELD(sluice_node, compute, 120, sluice_dtype)
SLUICE_PIN_FIELD(sluice_node, accumulate, 124, sluice_dtype)
SLUICE_PIN_SIZE(sluice_kernel_sink, 120)
SLUICE_PIN_FIELD(sluice_kernel_sink, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_kernel_sink, impl, 8, void*)
SLUICE_PIN_FIELD(sluice_kernel_sink, threads, 16, const sluice_threads*)
SLUICE_PIN_FIELD(sluice_kernel_sink, may_measure, 24, uint32_t)
SLUICE_PIN_FIELD(sluice_kernel_sink, reserved, 28, uint32_t)
SLUICE_PIN_FIELD(sluice_kernel_sink, add_saved, 32,
                 void (*)(const struct sluice_kernel_sink*, uint64_t) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel_sink, set_workspace, 40,
                 void (*)(const struct sluice_kernel_sink*, uint64_t) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel_sink, backward_reads_input, 48,
                 void (*)(const struct sluice_kernel_sink*, uint32_t) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel_sink, backward_reads_output, 56,
                 void (*)(const struct sluice_kernel_sink*, uint32_t) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel_sink, set_note, 64,
                 void (*)(const struct sluice_kernel_sink*, sluice_text) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel_sink, may_overwrite, 72,
                 void (*)(const struct sluice_kernel_sink*, uint32_t, uint32_t) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel_sink, may_overwrite_gradient, 80,
                 void (*)(const struct sluice_kernel_sink*, uint32_t, uint32_t) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel_sink, recall, 88,
                 sluice_text (*)(const struct sluice_kernel_sink*, sluice_text) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel_sink, remember, 96,
                 void (*)(const struct sluice_kernel_sink*, sluice_text, sluice_text) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel_sink, computes_in, 104,
                 void (*)(const struct sluice_kernel_sink*, sluice_dtype) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel_sink, reads_rounded_parameters, 112,
                 void (*)(const struct sluice_kernel_sink*, sluice_dtype) SLUICE_NOEXCEPT)
SLUICE_PIN_SIZE(sluice_step_scalars, 128)
SLUICE_PIN_FIELD(sluice_step_scalars, rate, 0, double)
SLUICE_PIN_FIELD(sluice_step_scalars, gradient_scale, 8, double)
SLUICE_PIN_FIELD(sluice_step_scalars, loss_seed, 16, double)
SLUICE_PIN_FIELD(sluice_step_scalars, step, 24, uint64_t)
SLUICE_PIN_FIELD(sluice_step_scalars, random_counter, 32, uint64_t)
SLUICE_PIN_FIELD(sluice_step_scalars, skip, 40, uint32_t)
SLUICE_PIN_FIELD(sluice_step_scalars, reserved_flags, 44, uint32_t)
SLUICE_PIN_FIELD(sluice_step_scalars, reserved, 48, uint64_t[10])
SLUICE_PIN_SIZE(sluice_replicas, 24)
SLUICE_PIN_FIELD(sluice_replicas, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_replicas, impl, 8, void*)
SLUICE_PIN_FIELD(sluice_replicas, sum, 16,
                 sluice_status (*)(const struct sluice_replicas*, double*, uint64_t, sluice_text, sluice_error*)
                     SLUICE_NOEXCEPT)
SLUICE_PIN_SIZE(sluice_launch, 144)
SLUICE_PIN_FIELD(sluice_launch, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_launch, inputs, 8, const void* const*)
SLUICE_PIN_FIELD(sluice_launch, outputs, 16, void* const*)
SLUICE_PIN_FIELD(sluice_launch, parameters, 24, const void* const*)
SLUICE_PIN_FIELD(sluice_launch, states, 32, void* const*)
SLUICE_PIN_FIELD(sluice_launch, saved, 40, void* const*)
SLUICE_PIN_FIELD(sluice_launch, output_gradients, 48, const void* const*)
SLUICE_PIN_FIELD(sluice_launch, input_gradients, 56, void* const*)
SLUICE_PIN_FIELD(sluice_launch, parameter_gradients, 64, void* const*)
SLUICE_PIN_FIELD(sluice_launch, workspace, 72, void*)
SLUICE_PIN_FIELD(sluice_launch, stream, 80, void*)
SLUICE_PIN_FIELD(sluice_launch, scalars, 88, const sluice_step_scalars*)
SLUICE_PIN_FIELD(sluice_launch, threads, 96, const sluice_threads*)
SLUICE_PIN_FIELD(sluice_launch, random_seed, 104, uint64_t)
SLUICE_PIN_FIELD(sluice_launch, random_stream, 112, uint64_t)
SLUICE_PIN_FIELD(sluice_launch, accumulate_parameters, 120, uint32_t)
SLUICE_PIN_FIELD(sluice_launch, parameters_version, 124, uint32_t)
SLUICE_PIN_FIELD(sluice_launch, rounded_parameters, 128, const void* const*)
SLUICE_PIN_FIELD(sluice_launch, replicas, 136, const sluice_replicas*)
SLUICE_PIN_TEXT(SLUICE_KERNEL_V1, "sluice.kernel/1")
SLUICE_PIN_SIZE(sluice_kernel, 56)
SLUICE_PIN_FIELD(sluice_kernel, create, 0,
                 sluice_status (*)(const sluice_host*, const sluice_value*, sluice_device_ref, void**, sluice_error*)
                     SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel, destroy, 8, void (*)(void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel, supports, 16,
                 sluice_status (*)(void*, const sluice_node* const*, uint32_t, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel, plan, 24,
                 sluice_status (*)(void*, const sluice_node* const*, uint32_t, const sluice_kernel_sink*, void**,
                                   sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel, release, 32, void (*)(void*, void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel, forward, 40,
                 sluice_status (*)(void*, const sluice_launch*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_kernel, backward, 48,
                 sluice_status (*)(void*, const sluice_launch*, sluice_error*) SLUICE_NOEXCEPT)

/* sluice/kind/layer.h */
SLUICE_PIN_VALUE(SLUICE_ROLE_LAYER, 0)
SLUICE_PIN_VALUE(SLUICE_ROLE_LOSS, 1)
SLUICE_PIN_VALUE(SLUICE_ROLE_METRIC, 2)
SLUICE_PIN_VALUE(SLUICE_COLOUR_INFER, 0)
SLUICE_PIN_VALUE(SLUICE_COLOUR_ALLOW, 1)
SLUICE_PIN_VALUE(SLUICE_COLOUR_DENY, 2)
SLUICE_PIN_VALUE(SLUICE_COLOUR_CLEAR, 3)
SLUICE_PIN_VALUE(SLUICE_LAYER_RANDOM, 1)
SLUICE_PIN_VALUE(SLUICE_LAYER_IDENTITY_IN_EVAL, 2)
SLUICE_PIN_VALUE(SLUICE_LAYER_NO_GRADIENT, 4)
SLUICE_PIN_VALUE(SLUICE_LAYER_HIGHER_IS_BETTER, 8)
SLUICE_PIN_VALUE(SLUICE_LAYER_IGNORES_LABEL, 16)
SLUICE_PIN_VALUE(SLUICE_LAYER_JOINS_REPLICAS, 32)
SLUICE_PIN_SIZE(sluice_layer_traits, 56)
SLUICE_PIN_FIELD(sluice_layer_traits, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_layer_traits, role, 8, int32_t)
SLUICE_PIN_FIELD(sluice_layer_traits, colour, 12, int32_t)
SLUICE_PIN_FIELD(sluice_layer_traits, flags, 16, uint32_t)
SLUICE_PIN_FIELD(sluice_layer_traits, min_inputs, 20, uint32_t)
SLUICE_PIN_FIELD(sluice_layer_traits, max_inputs, 24, uint32_t)
SLUICE_PIN_FIELD(sluice_layer_traits, reserved, 28, uint32_t)
SLUICE_PIN_FIELD(sluice_layer_traits, label_inputs, 32, uint64_t)
SLUICE_PIN_FIELD(sluice_layer_traits, label_classes, 40, int64_t)
SLUICE_PIN_FIELD(sluice_layer_traits, ignored_label, 48, int64_t)
SLUICE_PIN_VALUE(SLUICE_INIT_ZEROS, 0)
SLUICE_PIN_VALUE(SLUICE_INIT_ONES, 1)
SLUICE_PIN_VALUE(SLUICE_INIT_CONSTANT, 2)
SLUICE_PIN_VALUE(SLUICE_INIT_NORMAL, 3)
SLUICE_PIN_VALUE(SLUICE_INIT_UNIFORM, 4)
SLUICE_PIN_VALUE(SLUICE_INIT_GLOROT_UNIFORM, 5)
SLUICE_PIN_VALUE(SLUICE_INIT_GLOROT_NORMAL, 6)
SLUICE_PIN_VALUE(SLUICE_INIT_HE_UNIFORM, 7)
SLUICE_PIN_VALUE(SLUICE_INIT_HE_NORMAL, 8)
SLUICE_PIN_SIZE(sluice_parameter, 120)
SLUICE_PIN_FIELD(sluice_parameter, name, 0, sluice_text)
SLUICE_PIN_FIELD(sluice_parameter, spec, 16, sluice_tensor_spec)
SLUICE_PIN_FIELD(sluice_parameter, initializer, 88, int32_t)
SLUICE_PIN_FIELD(sluice_parameter, reserved, 92, int32_t)
SLUICE_PIN_FIELD(sluice_parameter, argument, 96, double)
SLUICE_PIN_FIELD(sluice_parameter, fan_in, 104, int64_t)
SLUICE_PIN_FIELD(sluice_parameter, fan_out, 112, int64_t)
SLUICE_PIN_SIZE(sluice_layer_state, 96)
SLUICE_PIN_FIELD(sluice_layer_state, name, 0, sluice_text)
SLUICE_PIN_FIELD(sluice_layer_state, spec, 16, sluice_tensor_spec)
SLUICE_PIN_FIELD(sluice_layer_state, initial, 88, double)
SLUICE_PIN_SIZE(sluice_layer_sink, 48)
SLUICE_PIN_FIELD(sluice_layer_sink, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_layer_sink, impl, 8, void*)
SLUICE_PIN_FIELD(sluice_layer_sink, add_output, 16,
                 void (*)(const struct sluice_layer_sink*, const sluice_tensor_spec*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_layer_sink, add_parameter, 24,
                 void (*)(const struct sluice_layer_sink*, const sluice_parameter*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_layer_sink, add_state, 32,
                 void (*)(const struct sluice_layer_sink*, const sluice_layer_state*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_layer_sink, set_flops, 40, void (*)(const struct sluice_layer_sink*, double) SLUICE_NOEXCEPT)
SLUICE_PIN_TEXT(SLUICE_LAYER_V1, "sluice.layer/1")
SLUICE_PIN_SIZE(sluice_layer, 40)
SLUICE_PIN_FIELD(sluice_layer, create, 0,
                 sluice_status (*)(const sluice_host*, const sluice_value*, void**, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_layer, destroy, 8, void (*)(void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_layer, traits, 16,
                 sluice_status (*)(void*, sluice_layer_traits*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_layer, infer, 24,
                 sluice_status (*)(void*, const sluice_tensor_spec*, uint32_t, const sluice_layer_sink*, sluice_error*)
                     SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_layer, finalize, 32,
                 sluice_status (*)(void*, const double*, uint32_t, double*, sluice_error*) SLUICE_NOEXCEPT)

/* sluice/kind/observer.h */
SLUICE_PIN_VALUE(SLUICE_EVENT_RUN_BEGIN, 0)
SLUICE_PIN_VALUE(SLUICE_EVENT_STEP, 1)
SLUICE_PIN_VALUE(SLUICE_EVENT_EPOCH_END, 2)
SLUICE_PIN_VALUE(SLUICE_EVENT_EVALUATION, 3)
SLUICE_PIN_VALUE(SLUICE_EVENT_SAMPLES, 4)
SLUICE_PIN_VALUE(SLUICE_EVENT_CHECKPOINT, 5)
SLUICE_PIN_VALUE(SLUICE_EVENT_RUN_END, 6)
SLUICE_PIN_SIZE(sluice_scalar, 24)
SLUICE_PIN_FIELD(sluice_scalar, name, 0, sluice_text)
SLUICE_PIN_FIELD(sluice_scalar, value, 16, double)
SLUICE_PIN_SIZE(sluice_named_tensor, 64)
SLUICE_PIN_FIELD(sluice_named_tensor, name, 0, sluice_text)
SLUICE_PIN_FIELD(sluice_named_tensor, tensor, 16, sluice_tensor)
SLUICE_PIN_SIZE(sluice_event, 88)
SLUICE_PIN_FIELD(sluice_event, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_event, kind, 8, uint32_t)
SLUICE_PIN_FIELD(sluice_event, reserved, 12, uint32_t)
SLUICE_PIN_FIELD(sluice_event, epoch, 16, int64_t)
SLUICE_PIN_FIELD(sluice_event, step, 24, int64_t)
SLUICE_PIN_FIELD(sluice_event, seconds, 32, double)
SLUICE_PIN_FIELD(sluice_event, text, 40, sluice_text)
SLUICE_PIN_FIELD(sluice_event, scalars, 56, const sluice_scalar*)
SLUICE_PIN_FIELD(sluice_event, scalar_count, 64, uint64_t)
SLUICE_PIN_FIELD(sluice_event, tensors, 72, const sluice_named_tensor*)
SLUICE_PIN_FIELD(sluice_event, tensor_count, 80, uint64_t)
SLUICE_PIN_TEXT(SLUICE_OBSERVER_V1, "sluice.observer/1")
SLUICE_PIN_SIZE(sluice_observer, 32)
SLUICE_PIN_FIELD(sluice_observer, create, 0,
                 sluice_status (*)(const sluice_host*, const sluice_value*, void**, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_observer, destroy, 8, void (*)(void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_observer, wants, 16, uint64_t (*)(void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_observer, on_event, 24,
                 sluice_status (*)(void*, const sluice_event*, sluice_error*) SLUICE_NOEXCEPT)

/* sluice/kind/optimizer.h */
SLUICE_PIN_SIZE(sluice_optimizer_sink, 24)
SLUICE_PIN_FIELD(sluice_optimizer_sink, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_optimizer_sink, impl, 8, void*)
SLUICE_PIN_FIELD(sluice_optimizer_sink, add_state, 16,
                 void (*)(const struct sluice_optimizer_sink*, sluice_text) SLUICE_NOEXCEPT)
SLUICE_PIN_SIZE(sluice_optimizer_launch, 64)
SLUICE_PIN_FIELD(sluice_optimizer_launch, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_optimizer_launch, parameters, 8, float*)
SLUICE_PIN_FIELD(sluice_optimizer_launch, gradients, 16, const float*)
SLUICE_PIN_FIELD(sluice_optimizer_launch, states, 24, float* const*)
SLUICE_PIN_FIELD(sluice_optimizer_launch, count, 32, uint64_t)
SLUICE_PIN_FIELD(sluice_optimizer_launch, scalars, 40, const sluice_step_scalars*)
SLUICE_PIN_FIELD(sluice_optimizer_launch, threads, 48, const sluice_threads*)
SLUICE_PIN_FIELD(sluice_optimizer_launch, stream, 56, void*)
SLUICE_PIN_TEXT(SLUICE_OPTIMIZER_V1, "sluice.optimizer/1")
SLUICE_PIN_SIZE(sluice_optimizer, 32)
SLUICE_PIN_FIELD(sluice_optimizer, create, 0,
                 sluice_status (*)(const sluice_host*, const sluice_value*, void**, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_optimizer, destroy, 8, void (*)(void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_optimizer, describe, 16,
                 sluice_status (*)(void*, const sluice_optimizer_sink*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_optimizer, update, 24,
                 sluice_status (*)(void*, const sluice_optimizer_launch*, sluice_error*) SLUICE_NOEXCEPT)

/* sluice/kind/precision.h */
SLUICE_PIN_VALUE(SLUICE_LOSS_SCALE_NONE, 0)
SLUICE_PIN_VALUE(SLUICE_LOSS_SCALE_STATIC, 1)
SLUICE_PIN_VALUE(SLUICE_LOSS_SCALE_DYNAMIC, 2)
SLUICE_PIN_SIZE(sluice_precision_traits, 80)
SLUICE_PIN_FIELD(sluice_precision_traits, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_precision_traits, candidates, 8, sluice_text)
SLUICE_PIN_FIELD(sluice_precision_traits, loss_scale, 24, int32_t)
SLUICE_PIN_FIELD(sluice_precision_traits, growth_interval, 28, uint32_t)
SLUICE_PIN_FIELD(sluice_precision_traits, scale, 32, double)
SLUICE_PIN_FIELD(sluice_precision_traits, growth, 40, double)
SLUICE_PIN_FIELD(sluice_precision_traits, backoff, 48, double)
SLUICE_PIN_FIELD(sluice_precision_traits, floor, 56, double)
SLUICE_PIN_FIELD(sluice_precision_traits, ceiling, 64, double)
SLUICE_PIN_FIELD(sluice_precision_traits, most_skips, 72, uint32_t)
SLUICE_PIN_FIELD(sluice_precision_traits, reserved, 76, uint32_t)
SLUICE_PIN_SIZE(sluice_precision_query, 48)
SLUICE_PIN_FIELD(sluice_precision_query, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_precision_query, type, 8, sluice_text)
SLUICE_PIN_FIELD(sluice_precision_query, path, 24, sluice_text)
SLUICE_PIN_FIELD(sluice_precision_query, colour, 40, int32_t)
SLUICE_PIN_FIELD(sluice_precision_query, reserved, 44, int32_t)
SLUICE_PIN_SIZE(sluice_precision_choice, 24)
SLUICE_PIN_FIELD(sluice_precision_choice, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_precision_choice, storage, 8, sluice_dtype)
SLUICE_PIN_FIELD(sluice_precision_choice, compute, 12, sluice_dtype)
SLUICE_PIN_FIELD(sluice_precision_choice, accumulate, 16, sluice_dtype)
SLUICE_PIN_FIELD(sluice_precision_choice, colour, 20, int32_t)
SLUICE_PIN_TEXT(SLUICE_PRECISION_V1, "sluice.precision/1")
SLUICE_PIN_SIZE(sluice_precision, 32)
SLUICE_PIN_FIELD(sluice_precision, create, 0,
                 sluice_status (*)(const sluice_host*, const sluice_value*, void**, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_precision, destroy, 8, void (*)(void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_precision, traits, 16,
                 sluice_status (*)(void*, sluice_precision_traits*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_precision, choose, 24,
                 sluice_status (*)(void*, const sluice_precision_query*, sluice_precision_choice*, sluice_error*)
                     SLUICE_NOEXCEPT)

/* sluice/kind/source.h */
SLUICE_PIN_VALUE(SLUICE_FIELD_TENSOR, 0)
SLUICE_PIN_VALUE(SLUICE_FIELD_IMAGE, 1)
SLUICE_PIN_VALUE(SLUICE_FIELD_ENCODED, 2)
SLUICE_PIN_VALUE(SLUICE_FIELD_CLASS, 3)
SLUICE_PIN_VALUE(SLUICE_FIELD_LABEL_MAP, 4)
SLUICE_PIN_SIZE(sluice_field, 128)
SLUICE_PIN_FIELD(sluice_field, name, 0, sluice_text)
SLUICE_PIN_FIELD(sluice_field, role, 16, int32_t)
SLUICE_PIN_FIELD(sluice_field, reserved_flags, 20, int32_t)
SLUICE_PIN_FIELD(sluice_field, spec, 24, sluice_tensor_spec)
SLUICE_PIN_FIELD(sluice_field, reserved, 96, uint64_t[4])
SLUICE_PIN_SIZE(sluice_field_sink, 32)
SLUICE_PIN_FIELD(sluice_field_sink, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_field_sink, impl, 8, void*)
SLUICE_PIN_FIELD(sluice_field_sink, add_field, 16,
                 void (*)(const struct sluice_field_sink*, const sluice_field*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_field_sink, set_length, 24, void (*)(const struct sluice_field_sink*, uint64_t) SLUICE_NOEXCEPT)
SLUICE_PIN_SIZE(sluice_sample_sink, 32)
SLUICE_PIN_FIELD(sluice_sample_sink, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_sample_sink, impl, 8, void*)
SLUICE_PIN_FIELD(sluice_sample_sink, allocate, 16,
                 void* (*)(const struct sluice_sample_sink*, uint32_t, const sluice_tensor_spec*)SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_sample_sink, set_name, 24,
                 void (*)(const struct sluice_sample_sink*, sluice_text) SLUICE_NOEXCEPT)
SLUICE_PIN_TEXT(SLUICE_SOURCE_V1, "sluice.source/1")
SLUICE_PIN_SIZE(sluice_source, 48)
SLUICE_PIN_FIELD(sluice_source, create, 0,
                 sluice_status (*)(const sluice_host*, const sluice_value*, void**, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_source, destroy, 8, void (*)(void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_source, describe, 16,
                 sluice_status (*)(void*, const sluice_field_sink*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_source, context_create, 24, sluice_status (*)(void*, void**, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_source, context_destroy, 32, void (*)(void*, void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_source, read, 40,
                 sluice_status (*)(void*, void*, uint64_t, uint64_t, const sluice_sample_sink*, sluice_error*)
                     SLUICE_NOEXCEPT)

/* sluice/kind/strategy.h */
SLUICE_PIN_SIZE(sluice_topology, 24)
SLUICE_PIN_FIELD(sluice_topology, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_topology, local_replicas, 8, uint32_t)
SLUICE_PIN_FIELD(sluice_topology, first_replica, 12, uint32_t)
SLUICE_PIN_FIELD(sluice_topology, world_replicas, 16, uint32_t)
SLUICE_PIN_FIELD(sluice_topology, reserved, 20, uint32_t)
SLUICE_PIN_VALUE(SLUICE_COLLECTIVE_SUM, 0)
SLUICE_PIN_VALUE(SLUICE_COLLECTIVE_MEAN, 1)
SLUICE_PIN_VALUE(SLUICE_COLLECTIVE_MAX, 2)
SLUICE_PIN_VALUE(SLUICE_COLLECTIVE_REDUCE_SCATTER, 3)
SLUICE_PIN_VALUE(SLUICE_COLLECTIVE_ALL_GATHER, 4)
SLUICE_PIN_SIZE(sluice_collective, 72)
SLUICE_PIN_FIELD(sluice_collective, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_collective, kind, 8, uint32_t)
SLUICE_PIN_FIELD(sluice_collective, replica, 12, uint32_t)
SLUICE_PIN_FIELD(sluice_collective, data, 16, void*)
SLUICE_PIN_FIELD(sluice_collective, count, 24, uint64_t)
SLUICE_PIN_FIELD(sluice_collective, dtype, 32, sluice_dtype)
SLUICE_PIN_FIELD(sluice_collective, wire, 36, sluice_dtype)
SLUICE_PIN_FIELD(sluice_collective, name, 40, sluice_text)
SLUICE_PIN_FIELD(sluice_collective, threads, 56, const sluice_threads*)
SLUICE_PIN_FIELD(sluice_collective, stream, 64, void*)
SLUICE_PIN_TEXT(SLUICE_STRATEGY_V1, "sluice.strategy/1")
SLUICE_PIN_SIZE(sluice_strategy, 48)
SLUICE_PIN_FIELD(sluice_strategy, create, 0,
                 sluice_status (*)(const sluice_host*, const sluice_value*, uint32_t, void**, sluice_error*)
                     SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_strategy, destroy, 8, void (*)(void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_strategy, topology, 16,
                 sluice_status (*)(void*, sluice_topology*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_strategy, start, 24,
                 sluice_status (*)(void*, const sluice_collective*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_strategy, finish, 32, sluice_status (*)(void*, uint32_t, double, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_strategy, abort, 40, void (*)(void*, sluice_text) SLUICE_NOEXCEPT)

/* sluice/kind/processes.h */
SLUICE_PIN_TEXT(SLUICE_PROCESSES_V1, "sluice.processes/1")
SLUICE_PIN_SIZE(sluice_processes, 16)
SLUICE_PIN_FIELD(sluice_processes, place, 0,
                 sluice_status (*)(void*, uint32_t*, uint32_t*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_processes, gather, 8,
                 sluice_status (*)(void*, const void*, uint64_t, void*, sluice_text, double, sluice_error*)
                     SLUICE_NOEXCEPT)

/* sluice/kind/transform.h */
SLUICE_PIN_TEXT(SLUICE_TRANSFORM_V1, "sluice.transform/1")
SLUICE_PIN_SIZE(sluice_transform, 48)
SLUICE_PIN_FIELD(sluice_transform, create, 0,
                 sluice_status (*)(const sluice_host*, const sluice_value*, void**, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_transform, destroy, 8, void (*)(void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_transform, describe, 16,
                 sluice_status (*)(void*, const sluice_field*, uint32_t, const sluice_field_sink*, sluice_error*)
                     SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_transform, context_create, 24, sluice_status (*)(void*, void**, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_transform, context_destroy, 32, void (*)(void*, void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_transform, apply, 40,
                 sluice_status (*)(void*, void*, const sluice_tensor*, uint32_t, const sluice_random_key*,
                                   const sluice_sample_sink*, sluice_error*) SLUICE_NOEXCEPT)

/* sluice/kind/step.h */
SLUICE_PIN_VALUE(SLUICE_STEP_DONE, 0)
SLUICE_PIN_VALUE(SLUICE_STEP_SKIPPED, 1)
SLUICE_PIN_VALUE(SLUICE_STEP_STOPPED, 2)
SLUICE_PIN_SIZE(sluice_step_start, 128)
SLUICE_PIN_FIELD(sluice_step_start, loss_seed, 0, double)
SLUICE_PIN_FIELD(sluice_step_start, random_counter, 8, uint64_t)
SLUICE_PIN_FIELD(sluice_step_start, first_update, 16, uint64_t)
SLUICE_PIN_FIELD(sluice_step_start, rates, 24, double[4])
SLUICE_PIN_FIELD(sluice_step_start, reserved, 56, uint64_t[9])
SLUICE_PIN_SIZE(sluice_step_report, 128)
SLUICE_PIN_FIELD(sluice_step_report, loss_sum, 0, double)
SLUICE_PIN_FIELD(sluice_step_report, loss_weight, 8, double)
SLUICE_PIN_FIELD(sluice_step_report, square_sum, 16, double)
SLUICE_PIN_FIELD(sluice_step_report, norm, 24, double)
SLUICE_PIN_FIELD(sluice_step_report, rate, 32, double)
SLUICE_PIN_FIELD(sluice_step_report, loss_scale, 40, double)
SLUICE_PIN_FIELD(sluice_step_report, updates, 48, uint64_t)
SLUICE_PIN_FIELD(sluice_step_report, good_steps, 56, uint64_t)
SLUICE_PIN_FIELD(sluice_step_report, skips_in_row, 64, uint64_t)
SLUICE_PIN_FIELD(sluice_step_report, ending, 72, uint32_t)
SLUICE_PIN_FIELD(sluice_step_report, reserved_flags, 76, uint32_t)
SLUICE_PIN_FIELD(sluice_step_report, reserved, 80, uint64_t[6])
SLUICE_PIN_SIZE(sluice_step_rule, 64)
SLUICE_PIN_FIELD(sluice_step_rule, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_step_rule, clip_norm, 8, double)
SLUICE_PIN_FIELD(sluice_step_rule, scales_loss, 16, uint32_t)
SLUICE_PIN_FIELD(sluice_step_rule, has_norm, 20, uint32_t)
SLUICE_PIN_FIELD(sluice_step_rule, growth_interval, 24, uint32_t)
SLUICE_PIN_FIELD(sluice_step_rule, most_skips, 28, uint32_t)
SLUICE_PIN_FIELD(sluice_step_rule, growth, 32, double)
SLUICE_PIN_FIELD(sluice_step_rule, backoff, 40, double)
SLUICE_PIN_FIELD(sluice_step_rule, floor, 48, double)
SLUICE_PIN_FIELD(sluice_step_rule, ceiling, 56, double)
SLUICE_PIN_TEXT(SLUICE_STEP_V1, "sluice.step/1")
SLUICE_PIN_SIZE(sluice_step, 64)
SLUICE_PIN_FIELD(sluice_step, begin, 0,
                 sluice_status (*)(void*, const sluice_step_rule*, const sluice_step_start*, const sluice_step_report*,
                                   sluice_step_scalars*, void*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_step, add_loss, 8,
                 sluice_status (*)(void*, const float*, uint64_t, uint32_t, sluice_step_report*, const sluice_threads*,
                                   void*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_step, workspace, 16, uint64_t (*)(void*, uint64_t) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_step, sum_squares, 24,
                 sluice_status (*)(void*, const float*, uint64_t, sluice_step_report*, void*, const sluice_threads*,
                                   void*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_step, decide, 32,
                 sluice_status (*)(void*, const sluice_step_rule*, sluice_step_scalars*, sluice_step_report*, void*,
                                   sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_step, restore, 40,
                 sluice_status (*)(void*, float*, const float*, uint64_t, const sluice_step_report*,
                                   const sluice_threads*, void*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_step, move_average, 48,
                 sluice_status (*)(void*, float*, const float*, uint64_t, double, const sluice_step_scalars*,
                                   const sluice_step_report*, const sluice_threads*, void*, sluice_error*)
                     SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_step, round, 56,
                 sluice_status (*)(void*, void*, const float*, uint64_t, sluice_dtype, const sluice_threads*, void*,
                                   sluice_error*) SLUICE_NOEXCEPT)

/* sluice/kind/streams.h */
SLUICE_PIN_TEXT(SLUICE_STREAMS_V1, "sluice.streams/1")
SLUICE_PIN_SIZE(sluice_streams, 80)
SLUICE_PIN_FIELD(sluice_streams, event_create, 0, sluice_status (*)(void*, void**, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_streams, event_destroy, 8, void (*)(void*, void*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_streams, event_record, 16,
                 sluice_status (*)(void*, void*, void*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_streams, stream_wait_event, 24,
                 sluice_status (*)(void*, void*, void*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_streams, event_wait, 32, sluice_status (*)(void*, void*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_streams, event_seconds, 40,
                 sluice_status (*)(void*, void*, void*, double*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_streams, capture_begin, 48, sluice_status (*)(void*, void*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_streams, capture_end, 56,
                 sluice_status (*)(void*, void*, void**, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_streams, graph_launch, 64,
                 sluice_status (*)(void*, void*, void*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_streams, graph_destroy, 72, void (*)(void*, void*) SLUICE_NOEXCEPT)

/* sluice/kind/usage.h */
SLUICE_PIN_SIZE(sluice_usage_figures, 96)
SLUICE_PIN_FIELD(sluice_usage_figures, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_usage_figures, busy_share, 8, double)
SLUICE_PIN_FIELD(sluice_usage_figures, used_bytes, 16, double)
SLUICE_PIN_FIELD(sluice_usage_figures, power_watts, 24, double)
SLUICE_PIN_FIELD(sluice_usage_figures, celsius, 32, double)
SLUICE_PIN_FIELD(sluice_usage_figures, clock_hertz, 40, double)
SLUICE_PIN_FIELD(sluice_usage_figures, limit, 48, char[48])
SLUICE_PIN_TEXT(SLUICE_USAGE_V1, "sluice.usage/1")
SLUICE_PIN_SIZE(sluice_usage, 8)
SLUICE_PIN_FIELD(sluice_usage, read, 0, sluice_status (*)(void*, sluice_usage_figures*, sluice_error*) SLUICE_NOEXCEPT)

/* sluice/kind/libraries.h */
SLUICE_PIN_SIZE(sluice_library_sink, 24)
SLUICE_PIN_FIELD(sluice_library_sink, struct_size, 0, uint64_t)
SLUICE_PIN_FIELD(sluice_library_sink, impl, 8, void*)
SLUICE_PIN_FIELD(sluice_library_sink, add_library, 16,
                 void (*)(const struct sluice_library_sink*, sluice_text, sluice_text) SLUICE_NOEXCEPT)
SLUICE_PIN_TEXT(SLUICE_LIBRARIES_V1, "sluice.libraries/1")
SLUICE_PIN_SIZE(sluice_libraries, 8)
SLUICE_PIN_FIELD(sluice_libraries, list, 0,
                 sluice_status (*)(const sluice_library_sink*, sluice_error*) SLUICE_NOEXCEPT)

/* sluice/kind/identity.h */
SLUICE_PIN_TEXT(SLUICE_IDENTITY_V1, "sluice.identity/1")
SLUICE_PIN_SIZE(sluice_identity, 8)
SLUICE_PIN_FIELD(sluice_identity, identity, 0, sluice_status (*)(void*, uint64_t*, sluice_error*) SLUICE_NOEXCEPT)

/* sluice/kind/sampling.h */
SLUICE_PIN_TEXT(SLUICE_SAMPLING_V1, "sluice.sampling/1")
SLUICE_PIN_SIZE(sluice_sampling, 16)
SLUICE_PIN_FIELD(sluice_sampling, classes, 0,
                 sluice_status (*)(void*, int64_t*, uint64_t, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_sampling, weights, 8,
                 sluice_status (*)(void*, double*, uint64_t, sluice_error*) SLUICE_NOEXCEPT)

/* sluice/kind/batch_transform.h */
SLUICE_PIN_TEXT(SLUICE_BATCH_TRANSFORM_V1, "sluice.batch_transform/1")
SLUICE_PIN_SIZE(sluice_batch_transform, 8)
SLUICE_PIN_FIELD(sluice_batch_transform, apply, 0,
                 sluice_status (*)(void*, void*, const sluice_tensor*, uint32_t, const sluice_random_key*,
                                   sluice_error*) SLUICE_NOEXCEPT)

/* sluice/kind/window.h */
SLUICE_PIN_SIZE(sluice_extent, 16)
SLUICE_PIN_FIELD(sluice_extent, height, 0, int64_t)
SLUICE_PIN_FIELD(sluice_extent, width, 8, int64_t)
SLUICE_PIN_SIZE(sluice_window, 40)
SLUICE_PIN_FIELD(sluice_window, top, 0, int64_t)
SLUICE_PIN_FIELD(sluice_window, left, 8, int64_t)
SLUICE_PIN_FIELD(sluice_window, height, 16, int64_t)
SLUICE_PIN_FIELD(sluice_window, width, 24, int64_t)
SLUICE_PIN_FIELD(sluice_window, shrink, 32, int64_t)
SLUICE_PIN_VALUE(SLUICE_WINDOWS_NONE, 0)
SLUICE_PIN_VALUE(SLUICE_WINDOWS_ANY, 1)
SLUICE_PIN_VALUE(SLUICE_WINDOWS_UNSHRUNK, 2)
SLUICE_PIN_TEXT(SLUICE_WINDOW_MAKER_V1, "sluice.window_maker/1")
SLUICE_PIN_SIZE(sluice_window_maker, 16)
SLUICE_PIN_FIELD(sluice_window_maker, extents, 0,
                 sluice_status (*)(void*, void*, const sluice_tensor*, uint32_t, sluice_extent*, uint32_t,
                                   sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_window_maker, apply, 8,
                 sluice_status (*)(void*, void*, const sluice_tensor*, uint32_t, const sluice_window*, uint32_t,
                                   const sluice_random_key*, const sluice_sample_sink*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_TEXT(SLUICE_WINDOW_SOURCE_V1, "sluice.window_source/1")
SLUICE_PIN_SIZE(sluice_window_source, 24)
SLUICE_PIN_FIELD(sluice_window_source, has_windows, 0, void (*)(void*, uint8_t*, uint32_t) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_window_source, extents, 8,
                 sluice_status (*)(void*, void*, uint64_t, uint64_t, sluice_extent*, uint32_t, sluice_error*)
                     SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_window_source, read, 16,
                 sluice_status (*)(void*, void*, uint64_t, uint64_t, const sluice_window*, uint32_t,
                                   const sluice_sample_sink*, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_TEXT(SLUICE_WINDOW_CHOICE_V1, "sluice.window_choice/1")
SLUICE_PIN_SIZE(sluice_window_choice, 24)
SLUICE_PIN_FIELD(sluice_window_choice, expect, 0,
                 sluice_status (*)(void*, const uint8_t*, uint32_t, sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_window_choice, choose, 8,
                 sluice_status (*)(void*, const sluice_extent*, uint32_t, const sluice_random_key*, sluice_window*,
                                   sluice_error*) SLUICE_NOEXCEPT)
SLUICE_PIN_FIELD(sluice_window_choice, apply, 16,
                 sluice_status (*)(void*, void*, const sluice_tensor*, const sluice_extent*, const sluice_window*,
                                   uint32_t, const sluice_random_key*, const sluice_sample_sink*, sluice_error*)
                     SLUICE_NOEXCEPT)
