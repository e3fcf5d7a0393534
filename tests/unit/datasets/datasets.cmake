# Tests of sources that read files, loaded from disk as the host loads them, and of the class names that they report.
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
set(codec ${PROJECT_SOURCE_DIR}/datasets/transforms/codec)
add_executable(source_tests
  ${codec}/block_codes.cpp
  ${codec}/jpeg_markers.cpp
  ${codec}/scan_cut.cpp
  pictures.cpp
  unit/data/chain/class_names_test.cpp
  unit/datasets/cmyk_test.cpp
  unit/datasets/csv_classes_test.cpp
  unit/datasets/csv_images_test.cpp
  unit/datasets/csv_text_test.cpp
  unit/datasets/deep_images_test.cpp
  unit/datasets/file_kind_test.cpp
  unit/datasets/folds_test.cpp
  unit/datasets/jpeg_windows_test.cpp
  unit/datasets/label_maps_test.cpp
  unit/datasets/lack_of_memory_test.cpp
  unit/datasets/mapped_records_test.cpp
  unit/datasets/orientations_test.cpp
  unit/datasets/pairing_test.cpp
  unit/datasets/records_test.cpp
  unit/datasets/restart_test.cpp
  unit/datasets/segmentation_pairs_test.cpp
  unit/datasets/synthetic_test.cpp
  unit/datasets/tfrecord_test.cpp
  unit/datasets/window_test.cpp)
target_link_libraries(source_tests PRIVATE sluice_data sluice_file_kinds sluice_records_format sluice_tfrecord_frames sluice_warnings GTest::gtest_main JPEG::JPEG PNG::PNG ZLIB::ZLIB)
target_include_directories(source_tests PRIVATE ${PROJECT_SOURCE_DIR}/datasets/transforms ${PROJECT_SOURCE_DIR}/sdk/include)
target_compile_definitions(source_tests PRIVATE SLUICE_DATA_TEST_PLUGINS="${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR}"
  SLUICE_TENSORFLOW_FILES="${CMAKE_CURRENT_LIST_DIR}/tensorflow")
add_dependencies(source_tests sluice_csv_images sluice_image_pairs sluice_photos sluice_records
                 sluice_segmentation_pairs sluice_synthetic sluice_transforms)
gtest_discover_tests(source_tests DISCOVERY_MODE PRE_TEST)
