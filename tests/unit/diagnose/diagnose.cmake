# Tests of the verdicts of `host diagnose`.
add_executable(diagnose_tests unit/diagnose/precision_trial_test.cpp)
target_link_libraries(diagnose_tests PRIVATE sluice_diagnose sluice_warnings GTest::gtest_main)
add_tests_in_one_process(diagnose)
