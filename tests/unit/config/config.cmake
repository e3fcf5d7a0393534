# Tests of pipeline files: include, ${NAME}, --set, strict reading, and the text that they become.
add_executable(config_tests
  unit/config/cache_entry_test.cpp
  unit/config/derived_pipeline_test.cpp
  unit/config/include_test.cpp
  unit/config/model_file_test.cpp
  unit/config/override_test.cpp
  unit/config/pipeline_text_test.cpp
  unit/config/read_model_test.cpp
  unit/config/read_test.cpp)
target_link_libraries(config_tests PRIVATE sluice_config sluice_warnings GTest::gtest_main)
target_compile_definitions(config_tests PRIVATE SLUICE_PIPELINES="${PROJECT_SOURCE_DIR}/host/pipelines"
                                                SLUICE_MODELS="${PROJECT_SOURCE_DIR}/host/models")
add_tests_in_one_process(config)
