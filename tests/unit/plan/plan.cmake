# Tests of the plan, on pipelines that are loaded from text, with plugins from disk.
add_executable(plan_tests
  unit/plan/buckets_test.cpp
  unit/plan/graph_test.cpp
  unit/plan/launch_work_test.cpp
  unit/plan/memory_need_test.cpp
  unit/plan/passes/arena_test.cpp
  unit/plan/passes/gradients_test.cpp
  unit/plan/passes/identities_test.cpp
  unit/plan/passes/in_place_test.cpp
  unit/plan/passes/kernels_test.cpp
  unit/plan/passes/pass_test.cpp
  unit/plan/passes/precision_test.cpp
  unit/plan/passes/recompute_test.cpp
  unit/plan/passes/verify_test.cpp
  unit/plan/toolbox_test.cpp)
target_link_libraries(plan_tests PRIVATE sluice_run sluice_warnings GTest::gtest_main)
target_compile_definitions(plan_tests PRIVATE SLUICE_TEST_PLUGIN_DIR="${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR}")
add_tests_in_one_process(plan)
