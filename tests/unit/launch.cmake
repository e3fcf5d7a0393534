# Tests of what `host launch` and its processes tell each other.
find_package(GTest REQUIRED)
include(GoogleTest)
add_executable(launch_tests ${CMAKE_CURRENT_LIST_DIR}/launch_channel_test.cpp)
target_link_libraries(launch_tests PRIVATE sluice_launch sluice_warnings GTest::gtest_main)
gtest_discover_tests(launch_tests)
