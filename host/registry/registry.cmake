add_library(sluice_registry STATIC
  registry/checked/call.cpp registry/checked/call_end.cpp registry/checked/data.cpp registry/checked/device.cpp registry/checked/lend.cpp
  registry/checked/lent_memory.cpp registry/checked/libraries.cpp registry/checked/model.cpp
  registry/checked/process_state.cpp registry/checked/rule.cpp registry/checked/services.cpp
  registry/checked/sinks.cpp registry/checked/training.cpp registry/checked/watch.cpp registry/checked/wrap.cpp
  registry/batch_transform.cpp registry/call.cpp registry/choices.cpp registry/data_objects.cpp registry/data_sinks.cpp registry/device.cpp registry/step_calls.cpp registry/streams.cpp registry/elf.cpp registry/fault_guard.cpp
  registry/identity.cpp registry/interfaces.cpp registry/kernel.cpp registry/label_range.cpp registry/last_words.cpp registry/later_options.cpp registry/layer.cpp registry/libraries.cpp registry/log_subject.cpp registry/load.cpp registry/load_watch.cpp
  registry/check_case.cpp registry/class_names.cpp registry/manifest.cpp registry/manifest_keys.cpp registry/manifest_text.cpp registry/version.cpp
  registry/needed_libraries.cpp registry/plugin_code.cpp registry/probe.cpp registry/processes.cpp registry/probe_cache.cpp registry/registry.cpp registry/run_objects.cpp registry/sampling.cpp registry/schema.cpp
  registry/schema_check.cpp registry/schema_text.cpp registry/search_path.cpp registry/services.cpp registry/usage.cpp registry/windows.cpp
  registry/verdict.cpp)
target_link_libraries(sluice_registry
  PUBLIC sluice_base
  PRIVATE sluice_config Boost::headers nlohmann_json::nlohmann_json ${CMAKE_DL_LIBS} sluice_warnings)
