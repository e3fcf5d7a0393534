# Tests of sources that read files, loaded from disk as the host loads them.
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
set(codec ${PROJECT_SOURCE_DIR}/datasets/transforms/codec)
add_executable(source_tests
  ${codec}/block_codes.cpp ${codec}/jpeg_markers.cpp ${codec}/scan_cut.cpp ${CMAKE_CURRENT_LIST_DIR}/jpeg_windows_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/class_names_test.cpp ${CMAKE_CURRENT_LIST_DIR}/cmyk_test.cpp ${CMAKE_CURRENT_LIST_DIR}/csv_classes_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/csv_images_test.cpp ${CMAKE_CURRENT_LIST_DIR}/csv_text_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/deep_images_test.cpp ${CMAKE_CURRENT_LIST_DIR}/file_kind_test.cpp ${CMAKE_CURRENT_LIST_DIR}/folds_test.cpp ${CMAKE_CURRENT_LIST_DIR}/label_maps_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/orientations_test.cpp ${CMAKE_CURRENT_LIST_DIR}/pairing_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/mapped_records_test.cpp ${CMAKE_CURRENT_LIST_DIR}/records_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/restart_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/segmentation_pairs_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/tfrecord_test.cpp ${CMAKE_CURRENT_LIST_DIR}/window_test.cpp pictures.cpp)
target_link_libraries(source_tests PRIVATE sluice_data sluice_file_kinds sluice_records_format sluice_warnings GTest::gtest_main JPEG::JPEG PNG::PNG ZLIB::ZLIB)
target_include_directories(source_tests PRIVATE ${PROJECT_SOURCE_DIR}/datasets/transforms ${PROJECT_SOURCE_DIR}/sdk/include)
target_compile_definitions(source_tests PRIVATE SLUICE_DATA_TEST_PLUGINS="${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR}"
  SLUICE_TENSORFLOW_FILES="${CMAKE_CURRENT_LIST_DIR}/tensorflow")
add_dependencies(source_tests sluice_csv_images sluice_image_pairs sluice_photos sluice_records
                 sluice_segmentation_pairs sluice_transforms)
gtest_discover_tests(source_tests DISCOVERY_MODE PRE_TEST)
