# Tests of errors, files, limits of the machine, tensors and the reader of TOML.
add_executable(base_tests
  unit/base/allocation_failure_test.cpp
  unit/base/control_test.cpp
  unit/base/files_test.cpp
  unit/base/machine_test.cpp
  unit/base/peaks/bandwidth_test.cpp
  unit/base/peaks/machine_peaks_test.cpp
  unit/base/peaks/multiply_loops_test.cpp
  unit/base/peaks/peak_rate_test.cpp
  unit/base/peer_exit_test.cpp
  unit/base/process_place_test.cpp
  unit/base/tensor_test.cpp
  unit/base/text/duration_test.cpp
  unit/base/text/nearest_test.cpp
  unit/base/text/rate_text_test.cpp
  unit/base/text/scaled_number_test.cpp
  unit/base/toml/formula_test.cpp
  unit/base/toml/toml_advice_test.cpp
  unit/base/toml/toml_guard_test.cpp)
target_link_libraries(base_tests PRIVATE sluice_base sluice_warnings GTest::gtest_main)
add_tests_in_one_process(base)
