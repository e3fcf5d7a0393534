# Tests of the thread on which observers are called.
add_executable(observe_tests
  unit/observe/bus_test.cpp
  unit/observe/event_ring_test.cpp
  unit/observe/observer_watch_test.cpp)
target_link_libraries(observe_tests PRIVATE sluice_observe sluice_warnings GTest::gtest_main)
gtest_discover_tests(observe_tests)
