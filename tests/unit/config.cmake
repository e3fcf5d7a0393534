# Tests of pipeline files: include, ${NAME}, --set, strict reading, and the text that they become.
find_package(GTest REQUIRED)
add_executable(config_tests
  ${CMAKE_CURRENT_LIST_DIR}/config_include_test.cpp ${CMAKE_CURRENT_LIST_DIR}/config_model_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/config_override_test.cpp ${CMAKE_CURRENT_LIST_DIR}/config_read_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/config_text_test.cpp ${CMAKE_CURRENT_LIST_DIR}/control_test.cpp ${CMAKE_CURRENT_LIST_DIR}/tensor_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/link_speed_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/toml_advice_test.cpp ${CMAKE_CURRENT_LIST_DIR}/toml_guard_test.cpp)
target_link_libraries(config_tests PRIVATE sluice_config sluice_warnings GTest::gtest_main)
target_compile_definitions(config_tests PRIVATE SLUICE_PIPELINES="${CMAKE_CURRENT_LIST_DIR}/../../host/pipelines")
add_tests_in_one_process(config)
