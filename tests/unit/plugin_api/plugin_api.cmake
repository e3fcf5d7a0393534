# Tests of arithmetic that the headers of the ABI define for all plugins.
add_executable(plugin_api_tests
  unit/plugin_api/half_test.cpp
  unit/plugin_api/random_test.cpp)
target_link_libraries(plugin_api_tests PRIVATE sluice_plugin_api sluice_warnings GTest::gtest_main)
add_tests_in_one_process(plugin_api)
