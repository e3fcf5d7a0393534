# Tests of order, chain, cache and loader, with a plugin of their own that is loaded from disk like any other.
add_subdirectory(${CMAKE_CURRENT_LIST_DIR}/data_test_plugin ${CMAKE_BINARY_DIR}/tests/data_test_plugin EXCLUDE_FROM_ALL)

add_executable(data_tests
  unit/data/cache/cache_links_test.cpp
  unit/data/cache/cache_space_test.cpp
  unit/data/cache/cache_trim_test.cpp
  unit/data/cache/disk_cache_test.cpp
  unit/data/cache/memory_cache_test.cpp
  unit/data/chain/bad_samples_test.cpp
  unit/data/chain/cached_part_test.cpp
  unit/data/chain/chain_test.cpp
  unit/data/chain/chain_worker_test.cpp
  unit/data/chain/order_test.cpp
  unit/data/chain/replacement_search_test.cpp
  unit/data/chain/sample_memory_test.cpp
  unit/data/chain/sample_slots_test.cpp
  unit/data/chain/sampling_test.cpp
  unit/data/loader/arrived_samples_test.cpp
  unit/data/loader/autotuner_driver_test.cpp
  unit/data/loader/batch_queue_test.cpp
  unit/data/loader/batch_stages_test.cpp
  unit/data/loader/epoch_digest_test.cpp
  unit/data/loader/epoch_hashes_test.cpp
  unit/data/loader/in_flight_batches_test.cpp
  unit/data/loader/loader_meter_test.cpp
  unit/data/loader/loader_test.cpp
  unit/data/loader/stall_report_test.cpp
  unit/data/loader/stall_text_test.cpp
  unit/data/loader/worker_autotuner_test.cpp)
target_link_libraries(data_tests PRIVATE sluice_data sluice_warnings GTest::gtest_main)
target_compile_definitions(data_tests PRIVATE SLUICE_DATA_TEST_PLUGINS="${CMAKE_BINARY_DIR}/tests/data_plugins")
add_dependencies(data_tests sluice_data_test)
add_tests_in_one_process(data)
