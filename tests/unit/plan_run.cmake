# Tests of the plan and of what executes it, on pipelines that are loaded from text, with plugins from disk.
add_executable(plan_run_tests
  ${CMAKE_CURRENT_LIST_DIR}/bench_usage_test.cpp ${CMAKE_CURRENT_LIST_DIR}/bench_work_test.cpp ${CMAKE_CURRENT_LIST_DIR}/diagnose_speed_test.cpp ${CMAKE_CURRENT_LIST_DIR}/plan_buckets_test.cpp ${CMAKE_CURRENT_LIST_DIR}/plan_fits_test.cpp ${CMAKE_CURRENT_LIST_DIR}/plan_graph_test.cpp ${CMAKE_CURRENT_LIST_DIR}/plan_memory_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/half_test.cpp ${CMAKE_CURRENT_LIST_DIR}/plan_passes_test.cpp ${CMAKE_CURRENT_LIST_DIR}/plan_precision_test.cpp ${CMAKE_CURRENT_LIST_DIR}/plan_toolbox_test.cpp ${CMAKE_CURRENT_LIST_DIR}/run_bucket_trial_test.cpp ${CMAKE_CURRENT_LIST_DIR}/run_checkpoint_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/run_evaluation_test.cpp ${CMAKE_CURRENT_LIST_DIR}/run_exchange_forecast_test.cpp ${CMAKE_CURRENT_LIST_DIR}/run_executor_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/run_step_calls_test.cpp ${CMAKE_CURRENT_LIST_DIR}/run_initializers_test.cpp ${CMAKE_CURRENT_LIST_DIR}/run_loss_scaler_test.cpp ${CMAKE_CURRENT_LIST_DIR}/run_policy_choice_test.cpp ${CMAKE_CURRENT_LIST_DIR}/run_policy_rounds_test.cpp ${CMAKE_CURRENT_LIST_DIR}/run_safetensors_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/run_scaling_verdict_test.cpp ${CMAKE_CURRENT_LIST_DIR}/run_schedule_test.cpp ${CMAKE_CURRENT_LIST_DIR}/run_step_shares_test.cpp ${CMAKE_CURRENT_LIST_DIR}/run_thread_plan_test.cpp ${CMAKE_CURRENT_LIST_DIR}/run_weights_test.cpp ${CMAKE_CURRENT_LIST_DIR}/synthetic_test.cpp)
target_link_libraries(plan_run_tests PRIVATE sluice_run sluice_bench sluice_diagnose sluice_warnings GTest::gtest_main)
target_compile_definitions(plan_run_tests PRIVATE SLUICE_TEST_PLUGIN_DIR="${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR}")
add_tests_in_one_process(plan_run)
