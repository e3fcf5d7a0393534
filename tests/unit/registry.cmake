# Tests of schemas, of what is refused before loading, of loading, and of the objects' checks.
find_package(GTest REQUIRED)
include(GoogleTest)
add_subdirectory(${CMAKE_CURRENT_LIST_DIR}/../broken_plugins ${CMAKE_BINARY_DIR}/tests/broken_plugins EXCLUDE_FROM_ALL)

add_executable(registry_tests
  ${CMAKE_CURRENT_LIST_DIR}/registry_call_test.cpp ${CMAKE_CURRENT_LIST_DIR}/registry_elf_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/registry_fault_guard_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/registry_find_test.cpp ${CMAKE_CURRENT_LIST_DIR}/registry_load_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/registry_choices_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/registry_kernel_test.cpp ${CMAKE_CURRENT_LIST_DIR}/registry_objects_test.cpp ${CMAKE_CURRENT_LIST_DIR}/registry_schema_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/strategy_test.cpp)
target_link_libraries(registry_tests PRIVATE sluice_registry sluice_sdk sluice_warnings GTest::gtest_main)
target_compile_definitions(registry_tests PRIVATE
  SLUICE_TEST_BROKEN_DIR="${CMAKE_BINARY_DIR}/tests/broken_plugins"
  SLUICE_TEST_PLUGIN_DIR="${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR}")
add_dependencies(registry_tests broken_plugins sluice_mirrored)
gtest_discover_tests(registry_tests DISCOVERY_MODE PRE_TEST)
