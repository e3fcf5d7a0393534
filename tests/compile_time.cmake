# Settings that make the tests compile fast, as host/compile_time.cmake does for the host.
foreach(target base_tests bench_tests boards_tests check_tests config_tests data_tests emulated_cuda_norm_tests
               emulated_cuda_planner_tests emulated_cuda_plugin_tests emulated_cuda_tests history_tests launch_tests observe_tests
               pipeline_tests plan_tests prepare_tests profile_tests profiles_tests recorded_windows registry_tests
               run_tests sdk_tests source_tests step_tests transform_tests)
  if(TARGET ${target})
    sluice_compile_together(${target})
  endif()
endforeach()

# Headers that most tests include are compiled once.
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp "")
add_library(precompiled_tests OBJECT ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp)
target_link_libraries(precompiled_tests PRIVATE sluice_warnings GTest::gtest)
target_precompile_headers(precompiled_tests PRIVATE
  <gtest/gtest.h> <algorithm> <cmath> <filesystem> <fstream> <functional> <map> <memory> <optional> <span> <sstream> <string>
  <thread> <vector>)
foreach(folder . golden pipelines network sdk)
  get_directory_property(targets DIRECTORY ${folder} BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if(libraries MATCHES "GTest::" AND NOT target STREQUAL precompiled_tests)
      target_precompile_headers(${target} REUSE_FROM precompiled_tests)
    endif()
  endforeach()
endforeach()
# In this file, GCC 12 warns about precompiled code of the standard library (GCC bug 105329).
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/pipelines/bad_plugins/plugin_checks_test.cpp DIRECTORY pipelines
                            PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
