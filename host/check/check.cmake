set(check_cases
  allocation.cpp bench.cpp beside.cpp cases.cpp claimed.cpp batch_transform.cpp data_sample.cpp device.cpp kernel.cpp kernel_chains.cpp kernel_right.cpp kernel_sizes.cpp layer.cpp loading.cpp objects.cpp observer.cpp
  optimizer.cpp options.cpp precision.cpp source.cpp source_files.cpp source_names.cpp source_samples.cpp strategy.cpp team.cpp transform.cpp transform_fields.cpp transform_samples.cpp
  streams.cpp usage.cpp window_choice.cpp window_maker.cpp window_source.cpp windows.cpp)
list(TRANSFORM check_cases PREPEND check/cases/)
add_library(sluice_check STATIC
  check/case_check.cpp check/check_kernels.cpp check/compare.cpp check/contract.cpp check/finite_differences.cpp check/guarded_buffer.cpp
  check/isolated.cpp check/kernel_run.cpp check/near_cases.cpp check/neighbours.cpp check/node_by_node.cpp check/node_case.cpp check/node_values.cpp check/number_format.cpp check/plugin_allocations.cpp check/providers.cpp check/replaced_functions.cpp
  check/setup.cpp check/surroundings.cpp check/trial.cpp ${check_cases})
target_link_libraries(sluice_check PUBLIC sluice_plan sluice_registry sluice_run PRIVATE sluice_warnings nlohmann_json::nlohmann_json)
