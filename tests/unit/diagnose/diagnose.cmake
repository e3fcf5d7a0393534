# Tests of `host diagnose`: its measurements, its choice of experiments, and its verdicts on stored measurements.
add_executable(diagnose_tests
  unit/diagnose/evidence/turns_test.cpp
  unit/diagnose/experiments/kept_samples_test.cpp
  unit/diagnose/experiments/map_edits_test.cpp
  unit/diagnose/experiments/topic_test.cpp
  unit/diagnose/precision/precision_trial_test.cpp
  unit/diagnose/trial/data_files_test.cpp
  unit/diagnose/trial/scratch_folder_test.cpp
  unit/diagnose/trial/training_process_test.cpp
  unit/diagnose/tune/search_test.cpp
  unit/diagnose/verdict/investigation_test.cpp
  unit/diagnose/verdict/verdict_test.cpp)
target_link_libraries(diagnose_tests PRIVATE sluice_diagnose sluice_warnings GTest::gtest_main)
target_compile_definitions(diagnose_tests PRIVATE SLUICE_STORED_EVIDENCE="${CMAKE_CURRENT_SOURCE_DIR}/unit/diagnose/stored")
add_tests_in_one_process(diagnose)
