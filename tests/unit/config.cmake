# Tests of pipeline files: include, ${NAME}, --set, strict reading, and the text that they become.
find_package(GTest REQUIRED)
add_executable(config_tests
  unit/base/allocation_failure_test.cpp
  unit/base/control_test.cpp
  unit/base/nearest_test.cpp
  unit/base/peer_exit_test.cpp
  unit/base/rate_text_test.cpp
  unit/base/tensor_test.cpp
  unit/base/toml/toml_advice_test.cpp
  unit/base/toml/toml_guard_test.cpp
  unit/config/include_test.cpp
  unit/config/override_test.cpp
  unit/config/pipeline_text_test.cpp
  unit/config/read_model_test.cpp
  unit/config/read_test.cpp)
target_link_libraries(config_tests PRIVATE sluice_config sluice_warnings GTest::gtest_main)
target_compile_definitions(config_tests PRIVATE SLUICE_PIPELINES="${CMAKE_CURRENT_LIST_DIR}/../../host/pipelines")
add_tests_in_one_process(config)
