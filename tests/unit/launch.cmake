# Tests of what `host launch` and its processes tell each other, and of how the launcher decides.
find_package(GTest REQUIRED)
include(GoogleTest)
add_executable(launch_tests
  unit/launch/channel_test.cpp
  unit/launch/outcome_test.cpp
  unit/launch/peer_exit_test.cpp
  unit/launch/rendezvous_test.cpp
  unit/launch/shutdown_test.cpp
  unit/launch/stop_requests_test.cpp)
target_link_libraries(launch_tests PRIVATE sluice_launch sluice_warnings GTest::gtest_main)
gtest_discover_tests(launch_tests)
