# Tests of what `host launch` and its processes tell each other, and of how the launcher decides.
find_package(GTest REQUIRED)
include(GoogleTest)
add_executable(launch_tests
  ${CMAKE_CURRENT_LIST_DIR}/launch_channel_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/launch_outcome_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/launch_peer_exit_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/launch_rendezvous_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/launch_shutdown_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/launch_stop_requests_test.cpp)
target_link_libraries(launch_tests PRIVATE sluice_launch sluice_warnings GTest::gtest_main)
gtest_discover_tests(launch_tests)
