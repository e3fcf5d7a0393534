# Files of recorded windows, which the observers `trace` and `xprof` write.
find_package(nlohmann_json REQUIRED)
set(observers ${PROJECT_SOURCE_DIR}/plugins/observers)
add_library(recorded_windows STATIC
  ${observers}/files/output_file.cpp
  ${observers}/profile/arena.cpp
  ${observers}/profile/labels.cpp
  ${observers}/profile/waiting_files.cpp
  ${observers}/profile/window.cpp
  ${observers}/profile/window_writer.cpp
  ${observers}/trace/chrome_trace.cpp
  ${observers}/trace/launches.cpp
  ${observers}/trace/trace.cpp
  ${observers}/xprof/device_plane.cpp
  ${observers}/xprof/host_plane.cpp
  ${observers}/xprof/memory_line.cpp
  ${observers}/xprof/steps.cpp
  ${observers}/xprof/xprof.cpp
  ${observers}/xprof/xspace.cpp
  unit/plugins/profiles/recorded_window.cpp)
target_include_directories(recorded_windows PUBLIC ${observers})
target_link_libraries(recorded_windows PUBLIC sluice_sdk sluice_protozero nlohmann_json::nlohmann_json
                                       PRIVATE sluice_warnings)

add_executable(profiles_tests
  unit/plugins/profiles/arena_test.cpp
  unit/plugins/profiles/chrome_trace_test.cpp
  unit/plugins/profiles/parsed_xspace.cpp
  unit/plugins/profiles/window_test.cpp
  unit/plugins/profiles/window_writer_test.cpp
  unit/plugins/profiles/xprof_test.cpp)
target_link_libraries(profiles_tests PRIVATE recorded_windows sluice_warnings GTest::gtest_main)
add_tests_in_one_process(profiles)
