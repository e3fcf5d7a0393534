# Tests of schemas, of refusals before loading, of loading, and of the objects' checks.
add_subdirectory(broken_plugins ${CMAKE_BINARY_DIR}/tests/broken_plugins EXCLUDE_FROM_ALL)

add_executable(registry_tests
  unit/registry/loading/abi_conversion_test.cpp
  unit/registry/loading/fault_guard_test.cpp
  unit/registry/loading/load_test.cpp
  unit/registry/loading/load_watch_test.cpp
  unit/registry/loading/registry_test.cpp
  unit/registry/loading/search_path_test.cpp
  unit/registry/manifest/manifest_section_test.cpp
  unit/registry/manifest/manifest_test.cpp
  unit/registry/manifest/schema_test.cpp
  unit/registry/manifest/version_test.cpp
  unit/registry/objects/kernel_test.cpp
  unit/registry/objects/layer_test.cpp
  unit/registry/objects/source_test.cpp
  unit/registry/objects/tuning_cache_test.cpp
  unit/registry/optional/device_activity_test.cpp
  unit/registry/optional/device_time_test.cpp
  unit/registry/optional/step_calls_test.cpp)
target_link_libraries(registry_tests PRIVATE sluice_run sluice_sdk sluice_warnings GTest::gtest_main)
target_compile_definitions(registry_tests PRIVATE
  SLUICE_TEST_BROKEN_DIR="${CMAKE_BINARY_DIR}/tests/broken_plugins"
  SLUICE_TEST_FAULTY_DIR="${CMAKE_BINARY_DIR}/tests/faulty_plugins"
  SLUICE_TEST_MANIFEST_PAGE="${PROJECT_SOURCE_DIR}/plugin_api/manifest.md"
  SLUICE_TEST_CHECKING_PAGE="${PROJECT_SOURCE_DIR}/sdk/docs/checking.md"
  SLUICE_TEST_PLUGIN_DIR="${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR}")
add_dependencies(registry_tests broken_plugins faulty_later_device)
gtest_discover_tests(registry_tests DISCOVERY_MODE PRE_TEST)
