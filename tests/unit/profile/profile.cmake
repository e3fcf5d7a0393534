# Tests of the step clock, of recorded windows and of their tables.
add_executable(profile_tests
  unit/profile/critical_path_test.cpp
  unit/profile/growth_test.cpp
  unit/profile/idle_split_test.cpp
  unit/profile/memory_use_test.cpp
  unit/profile/operation_table_test.cpp
  unit/profile/pieces_test.cpp
  unit/profile/recorder_test.cpp
  unit/profile/recording_cost_test.cpp
  unit/profile/report_test.cpp
  unit/profile/run_memory_test.cpp
  unit/profile/stage_clock_test.cpp
  unit/profile/stage_history_test.cpp
  unit/profile/start_parts_test.cpp
  unit/profile/step_times_test.cpp
  unit/profile/usage_table_test.cpp
  unit/profile/window_files_test.cpp
  unit/profile/window_json_test.cpp
  unit/profile/window_view_test.cpp)
target_link_libraries(profile_tests PRIVATE sluice_profile sluice_warnings GTest::gtest_main nlohmann_json::nlohmann_json)
add_tests_in_one_process(profile)
