# Tests of transforms, loaded from disk as the host loads them, on pictures of a plugin of their own.
add_subdirectory(unit/datasets/transforms/test_plugin ${CMAKE_BINARY_DIR}/tests/transforms_test_plugin
                 EXCLUDE_FROM_ALL)
set(folder ${CMAKE_CURRENT_LIST_DIR}/datasets/transforms)
add_executable(transform_tests
  ${folder}/class_numbers_test.cpp
  ${folder}/color_jitter_test.cpp
  ${folder}/cutmix_test.cpp
  ${folder}/cutout_test.cpp
  ${folder}/dct_scaling_test.cpp
  ${folder}/field_choice_test.cpp
  ${folder}/filters_test.cpp
  ${folder}/flip_test.cpp
  ${folder}/mixup_test.cpp
  ${folder}/pad_test.cpp
  ${folder}/random_resized_crop_test.cpp
  ${folder}/resize_test.cpp
  ${folder}/rotate90_test.cpp
  pictures.cpp)
target_link_libraries(transform_tests PRIVATE sluice_data sluice_warnings GTest::gtest_main JPEG::JPEG PNG::PNG)
target_compile_definitions(transform_tests PRIVATE
  SLUICE_DATA_TEST_PLUGINS="${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR}"
  SLUICE_TRANSFORM_TEST_PLUGINS="${CMAKE_BINARY_DIR}/tests/transforms_plugins")
add_dependencies(transform_tests sluice_photos sluice_segmentation_pairs sluice_transforms sluice_transforms_test)
add_tests_in_one_process(transform)
