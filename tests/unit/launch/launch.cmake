# Tests of the messages between `host launch` and its processes, and of the launcher's decisions.
add_executable(launch_tests
  unit/launch/channel_test.cpp
  unit/launch/exit_deadline_test.cpp
  unit/launch/final_report_test.cpp
  unit/launch/launcher_connection_test.cpp
  unit/launch/messages_test.cpp
  unit/launch/noted_exits_test.cpp
  unit/launch/rendezvous_test.cpp
  unit/launch/signal_queue_test.cpp
  unit/launch/stop_requests_test.cpp)
target_link_libraries(launch_tests PRIVATE sluice_launch sluice_warnings GTest::gtest_main)
gtest_discover_tests(launch_tests)
