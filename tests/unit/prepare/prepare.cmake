# Tests of `host prepare`, with the plugin of the data tests.
add_executable(prepare_tests
  unit/prepare/missing_shards_test.cpp
  unit/prepare/ordered_samples_test.cpp
  unit/prepare/probe_samples_test.cpp
  unit/prepare/progress_meter_test.cpp
  unit/prepare/randomness_test.cpp
  unit/prepare/shard_layout_test.cpp)
target_link_libraries(prepare_tests PRIVATE sluice_prepare sluice_records_format sluice_warnings GTest::gtest_main)
target_compile_definitions(prepare_tests PRIVATE SLUICE_DATA_TEST_PLUGINS="${CMAKE_BINARY_DIR}/tests/data_plugins")
add_dependencies(prepare_tests sluice_data_test)
add_tests_in_one_process(prepare)
