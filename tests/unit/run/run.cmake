# Tests of the execution of a plan, on pipelines that are loaded from text, with plugins from disk.
add_executable(run_tests
  unit/run/checkpoint/checkpoint_test.cpp
  unit/run/checkpoint/safetensors_test.cpp
  unit/run/collective/collectives_test.cpp
  unit/run/collective/exchange_forecast_test.cpp
  unit/run/network/executor_test.cpp
  unit/run/network/loss_scaler_test.cpp
  unit/run/network/schedule_test.cpp
  unit/run/network/single_value_statistics_backup_test.cpp
  unit/run/network/step_rollback_test.cpp
  unit/run/network/thread_plan_test.cpp
  unit/run/replica/inference_test.cpp
  unit/run/replica/replica_threads_test.cpp
  unit/run/replica/step_faults_test.cpp
  unit/run/replica/step_reports_test.cpp
  unit/run/replica/stuck_watch_test.cpp
  unit/run/setup/loader_setup_test.cpp
  unit/run/train/epoch_data_check_test.cpp
  unit/run/train/first_steps_test.cpp
  unit/run/train/resume_changes_test.cpp
  unit/run/train/run_events_test.cpp
  unit/run/train/save_policy_test.cpp
  unit/run/train/step_driver_test.cpp
  unit/run/train/steps_in_flight_test.cpp
  unit/run/train/timeline_test.cpp
  unit/run/train/training_batches_test.cpp
  unit/run/train/validation_test.cpp
  unit/run/tuning/bucket_tuner_test.cpp
  unit/run/tuning/policy_choice_test.cpp
  unit/run/tuning/policy_rounds_test.cpp
  unit/run/tuning/speedup_verdict_test.cpp
  unit/run/tuning/step_shares_test.cpp
  unit/run/weights/initializers_test.cpp
  unit/run/weights/weights_test.cpp)
target_link_libraries(run_tests PRIVATE sluice_run sluice_warnings GTest::gtest_main)
target_compile_definitions(run_tests PRIVATE SLUICE_TEST_PLUGIN_DIR="${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR}")
add_tests_in_one_process(run)
