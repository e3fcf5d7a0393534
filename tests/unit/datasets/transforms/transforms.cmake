# Tests of transforms, loaded from disk as the host loads them, on pictures of a plugin of their own.
add_subdirectory(${CMAKE_CURRENT_LIST_DIR}/test_plugin ${CMAKE_BINARY_DIR}/tests/transforms_test_plugin
                 EXCLUDE_FROM_ALL)
add_executable(transform_tests
  pictures.cpp
  unit/datasets/transforms/class_numbers_test.cpp
  unit/datasets/transforms/color_jitter_test.cpp
  unit/datasets/transforms/cutmix_test.cpp
  unit/datasets/transforms/cutout_test.cpp
  unit/datasets/transforms/dct_scaling_test.cpp
  unit/datasets/transforms/field_choice_test.cpp
  unit/datasets/transforms/filters_test.cpp
  unit/datasets/transforms/flip_test.cpp
  unit/datasets/transforms/mixup_test.cpp
  unit/datasets/transforms/pad_test.cpp
  unit/datasets/transforms/random_resized_crop_test.cpp
  unit/datasets/transforms/resize_test.cpp
  unit/datasets/transforms/rotate90_test.cpp)
target_link_libraries(transform_tests PRIVATE sluice_data sluice_warnings GTest::gtest_main JPEG::JPEG PNG::PNG)
target_compile_definitions(transform_tests PRIVATE
  SLUICE_DATA_TEST_PLUGINS="${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR}"
  SLUICE_TRANSFORM_TEST_PLUGINS="${CMAKE_BINARY_DIR}/tests/transforms_plugins")
add_dependencies(transform_tests sluice_photos sluice_segmentation_pairs sluice_transforms sluice_transforms_test)
add_tests_in_one_process(transform)
