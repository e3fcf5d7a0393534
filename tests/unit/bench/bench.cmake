# Tests of what `host bench` measures and counts.
add_executable(bench_tests
  unit/bench/launch_limit_test.cpp
  unit/bench/peak_rates_test.cpp
  unit/bench/spread_test.cpp
  unit/bench/usage_watch_test.cpp)
target_link_libraries(bench_tests PRIVATE sluice_bench sluice_warnings GTest::gtest_main)
target_compile_definitions(bench_tests PRIVATE SLUICE_TEST_PLUGIN_DIR="${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR}")
add_tests_in_one_process(bench)
