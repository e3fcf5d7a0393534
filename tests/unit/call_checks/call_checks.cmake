# Tests of calls that break the rules of the headers.
add_executable(call_checks_tests
  unit/call_checks/checks_test.cpp
  unit/call_checks/output_memory_test.cpp)
target_link_libraries(call_checks_tests PRIVATE sluice_call_checks sluice_sdk sluice_warnings GTest::gtest_main)
target_compile_definitions(call_checks_tests PRIVATE
  SLUICE_TEST_FAULTY_DIR="${CMAKE_BINARY_DIR}/tests/faulty_plugins"
  SLUICE_TEST_CHECKING_PAGE="${PROJECT_SOURCE_DIR}/sdk/docs/checking.md"
  SLUICE_TEST_TFRECORD="${CMAKE_CURRENT_SOURCE_DIR}/unit/datasets/tensorflow/pictures.tfrecord"
  SLUICE_TEST_KIND_HEADERS="${PROJECT_SOURCE_DIR}/plugin_api/include/sluice/kind"
  SLUICE_TEST_PLUGIN_DIR="${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR}")
add_dependencies(call_checks_tests faulty_plugins sluice_records)
gtest_discover_tests(call_checks_tests DISCOVERY_MODE PRE_TEST)
