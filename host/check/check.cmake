add_library(sluice_check STATIC
  check/case_check.cpp check/check_kernels.cpp check/compare.cpp check/finite_differences.cpp check/guarded_buffer.cpp
  check/isolated.cpp check/kernel_run.cpp check/node_by_node.cpp check/node_case.cpp check/node_values.cpp check/number_format.cpp check/providers.cpp)
target_link_libraries(sluice_check PUBLIC sluice_plan sluice_registry sluice_run PRIVATE sluice_warnings nlohmann_json::nlohmann_json)
