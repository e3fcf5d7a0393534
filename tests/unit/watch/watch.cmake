# Tests of the live view in a terminal.
add_executable(watch_tests
  unit/watch/frame_test.cpp
  unit/watch/graph_test.cpp
  unit/watch/run_frame_test.cpp)
target_link_libraries(watch_tests PRIVATE sluice_watch sluice_warnings GTest::gtest_main)
add_tests_in_one_process(watch)
