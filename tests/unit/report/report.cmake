# Tests of the pages about runs.
add_executable(report_tests
  unit/report/assets_test.cpp
  unit/report/diagnosis_section_test.cpp
  unit/report/page_test.cpp
  unit/report/report_writer_test.cpp
  unit/report/run_page_test.cpp
  unit/report/run_report_test.cpp)
target_link_libraries(report_tests PRIVATE sluice_report sluice_warnings GTest::gtest_main nlohmann_json::nlohmann_json)
add_tests_in_one_process(report)
