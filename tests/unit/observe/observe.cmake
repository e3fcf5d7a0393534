# Tests of the threads on which observers are called, and of the samples of what a run uses.
add_executable(observe_tests
  unit/observe/bus_test.cpp
  unit/observe/event_ring_test.cpp
  unit/observe/lane_test.cpp
  unit/observe/observer_cost_test.cpp
  unit/observe/observer_watch_test.cpp
  unit/observe/run_pace_test.cpp
  unit/observe/run_queue_test.cpp
  unit/observe/run_waits_test.cpp
  unit/observe/usage/device_meter_test.cpp
  unit/observe/usage/proc_file_test.cpp
  unit/observe/usage/process_meter_test.cpp
  unit/observe/usage/row_test.cpp
  unit/observe/usage/sample_budget_test.cpp
  unit/observe/usage/sampler_test.cpp
  unit/observe/usage/thread_class_test.cpp
  unit/observe/usage/thread_meter_test.cpp
  unit/observe/usage/usage_file_test.cpp)
target_link_libraries(observe_tests PRIVATE sluice_observe sluice_warnings GTest::gtest_main)
gtest_discover_tests(observe_tests)
