# `host prepare`: part of a data chain, made once and written to files of records.
add_library(sluice_prepare STATIC
  prepare/randomness.cpp
  prepare/folder_lock.cpp
  prepare/ordered_samples.cpp
  prepare/output_file.cpp
  prepare/prefix.cpp
  prepare/prepare.cpp
  prepare/reading_lines.cpp
  prepare/written_files.cpp
  prepare/shard_format.cpp)
target_link_libraries(sluice_prepare PUBLIC sluice_config sluice_data PRIVATE sluice_records_format sluice_warnings
                                     OpenSSL::Crypto Threads::Threads nlohmann_json::nlohmann_json)
