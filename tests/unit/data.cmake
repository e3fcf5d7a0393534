# Tests of order, chain, cache and loader, with a plugin of their own that is loaded from disk like any other.
find_package(GTest REQUIRED)
add_subdirectory(${CMAKE_CURRENT_LIST_DIR}/data_test_plugin ${CMAKE_BINARY_DIR}/tests/data_test_plugin EXCLUDE_FROM_ALL)

add_executable(data_tests
  ${CMAKE_CURRENT_LIST_DIR}/data_bad_samples_test.cpp ${CMAKE_CURRENT_LIST_DIR}/data_batch_lines_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/data_batch_queue_test.cpp ${CMAKE_CURRENT_LIST_DIR}/data_effort_tuning_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/data_epoch_hashes_test.cpp ${CMAKE_CURRENT_LIST_DIR}/data_replacement_search_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/data_arrived_samples_test.cpp ${CMAKE_CURRENT_LIST_DIR}/data_batch_stages_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/data_cache_disk_space_test.cpp ${CMAKE_CURRENT_LIST_DIR}/data_cache_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/data_cache_space_test.cpp ${CMAKE_CURRENT_LIST_DIR}/data_cache_trim_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/data_chain_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/data_digest_test.cpp ${CMAKE_CURRENT_LIST_DIR}/data_disk_cache_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/data_loader_test.cpp ${CMAKE_CURRENT_LIST_DIR}/data_machine_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/data_order_test.cpp ${CMAKE_CURRENT_LIST_DIR}/data_repeats_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/data_sample_memory_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/data_sampling_test.cpp ${CMAKE_CURRENT_LIST_DIR}/random_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/data_tuner_test.cpp ${CMAKE_CURRENT_LIST_DIR}/files_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/prepare_drawing_test.cpp ${CMAKE_CURRENT_LIST_DIR}/prepare_samples_test.cpp)
target_link_libraries(data_tests PRIVATE sluice_data sluice_prepare sluice_records_format sluice_warnings GTest::gtest_main)
target_compile_definitions(data_tests PRIVATE SLUICE_DATA_TEST_PLUGINS="${CMAKE_BINARY_DIR}/tests/data_plugins")
add_dependencies(data_tests sluice_data_test)
add_tests_in_one_process(data)
