# Observers that write files for other tools, compiled from their sources.
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
set(observers ${PROJECT_SOURCE_DIR}/plugins/observers)
add_executable(boards_tests
  ${observers}/files/output_file.cpp
  ${observers}/files/record_file.cpp
  ${observers}/pictures/png_writer.cpp
  ${observers}/pictures/sample_sheet.cpp
  ${observers}/pictures/sheet.cpp
  ${observers}/series/mean_series.cpp
  ${observers}/series/run_series.cpp
  ${observers}/settings/resolved_pipeline.cpp
  ${observers}/tensorboard/event_folder.cpp
  ${observers}/tensorboard/event_messages.cpp
  ${observers}/tensorboard/histogram.cpp
  ${observers}/tensorboard/tensorboard.cpp
  ${observers}/wandb/log_messages.cpp
  ${observers}/wandb/offline_run.cpp
  ${observers}/wandb/transaction_log.cpp
  ${observers}/wandb/wandb.cpp
  unit/plugins/boards/series_test.cpp
  unit/plugins/boards/tensorboard_test.cpp
  unit/plugins/boards/wandb_test.cpp)
target_include_directories(boards_tests PRIVATE ${observers})
target_include_directories(boards_tests SYSTEM PRIVATE ${TOMLPLUSPLUS_INCLUDE_DIR})
target_link_libraries(boards_tests PRIVATE sluice_protozero sluice_sdk sluice_tfrecord_frames sluice_warnings
                                           GTest::gtest_main nlohmann_json::nlohmann_json PNG::PNG ZLIB::ZLIB)
gtest_discover_tests(boards_tests DISCOVERY_MODE PRE_TEST)
