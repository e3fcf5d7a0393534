# Parts of the device `cuda` that call nothing of CUDA. Every machine builds and tests them.
set(cudnn ${PROJECT_SOURCE_DIR}/plugins/cudnn)
add_library(fake_nvml MODULE ${CMAKE_CURRENT_LIST_DIR}/fake_nvml/fake_nvml.c)
set_target_properties(fake_nvml PROPERTIES PREFIX "" OUTPUT_NAME libnvidia-ml SUFFIX .so.1 C_VISIBILITY_PRESET hidden
                                           LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/fake_nvml)
add_library(fake_cupti MODULE ${CMAKE_CURRENT_LIST_DIR}/fake_cupti/fake_cupti.c)
set_target_properties(fake_cupti PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden
                                            LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/fake_cupti)
add_executable(cuda_device_tests
  ${cudnn}/device/activity_recorder.cpp
  ${cudnn}/device/availability.cpp
  ${cudnn}/device/cupti.cpp
  ${cudnn}/device/nvml.cpp
  unit/plugins/cudnn/activity_recorder_test.cpp
  unit/plugins/cudnn/availability_test.cpp
  unit/plugins/cudnn/nvml_test.cpp)
target_include_directories(cuda_device_tests PRIVATE ${cudnn})
target_link_libraries(cuda_device_tests PRIVATE sluice_sdk sluice_warnings GTest::gtest_main ${CMAKE_DL_LIBS})
target_compile_definitions(cuda_device_tests PRIVATE
  SLUICE_FAKE_CUPTI="$<TARGET_FILE:fake_cupti>"
  SLUICE_FAKE_NVML="$<TARGET_FILE:fake_nvml>")
add_dependencies(cuda_device_tests fake_cupti fake_nvml)
gtest_discover_tests(cuda_device_tests DISCOVERY_MODE PRE_TEST)

# Parts of the CUDA plugin that run on the CPU. They need neither a GPU nor CUDA.
add_executable(cudnn_tests
  ${cudnn}/norms/tiles.cpp
  unit/plugins/cudnn/indices_test.cpp
  unit/plugins/cudnn/tiles_test.cpp)
target_include_directories(cudnn_tests PRIVATE ${cudnn})
target_link_libraries(cudnn_tests PRIVATE sluice_sdk sluice_warnings GTest::gtest_main)
gtest_discover_tests(cudnn_tests DISCOVERY_MODE PRE_TEST)
