# Tests of rules that the SDK states for kernels of all providers, and of its walk through recorded windows.
add_executable(kernel_rules_tests
  unit/sdk/mask_chain_test.cpp
  unit/sdk/padding_test.cpp
  unit/sdk/profile_test.cpp
  unit/sdk/tuning_test.cpp)
target_link_libraries(kernel_rules_tests PRIVATE sluice_sdk sluice_warnings GTest::gtest_main)
add_tests_in_one_process(kernel_rules)
