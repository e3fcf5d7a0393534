# Tests of what the folder of a run records.
add_executable(history_tests
  unit/history/advice_test.cpp
  unit/history/event_line_test.cpp
  unit/history/growing_file_test.cpp
  unit/history/run_file_test.cpp
  unit/history/run_history_test.cpp
  unit/history/run_lock_test.cpp
  unit/history/run_record_test.cpp
  unit/history/run_state_test.cpp
  unit/history/run_summary_test.cpp
  unit/history/series_test.cpp
  unit/history/step_split_test.cpp
  unit/history/usage_rows_test.cpp)
target_link_libraries(history_tests PRIVATE sluice_history sluice_warnings GTest::gtest_main)
add_tests_in_one_process(history)
