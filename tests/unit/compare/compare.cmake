# Tests of comparisons of runs.
add_executable(compare_tests
  unit/compare/change_text_test.cpp
  unit/compare/comparison_test.cpp
  unit/compare/condition_test.cpp
  unit/compare/estimate_test.cpp
  unit/compare/figures_test.cpp
  unit/compare/setting_differences_test.cpp)
target_link_libraries(compare_tests PRIVATE sluice_compare sluice_warnings GTest::gtest_main nlohmann_json::nlohmann_json)
add_tests_in_one_process(compare)
