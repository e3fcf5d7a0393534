# Parts of the CUDA plugin that run on the CPU. They need neither a GPU nor CUDA.
add_executable(cudnn_tests
  ${PROJECT_SOURCE_DIR}/plugins/cudnn/norms/tiles.cpp
  unit/plugins/cudnn/indices_test.cpp
  unit/plugins/cudnn/tiles_test.cpp)
target_include_directories(cudnn_tests PRIVATE ${PROJECT_SOURCE_DIR}/plugins/cudnn)
target_link_libraries(cudnn_tests PRIVATE sluice_sdk sluice_warnings GTest::gtest_main)
gtest_discover_tests(cudnn_tests DISCOVERY_MODE PRE_TEST)
