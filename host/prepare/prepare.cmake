# `host prepare`: part of a data chain, made once and written to files of records.
add_library(sluice_prepare STATIC
  prepare/folder_lock.cpp
  prepare/ordered_samples.cpp
  prepare/output_file.cpp
  prepare/prefix.cpp
  prepare/prepare.cpp
  prepare/randomness.cpp
  prepare/reading_lines.cpp
  prepare/shard_format.cpp
  prepare/written_files.cpp)
target_link_libraries(sluice_prepare PUBLIC sluice_config sluice_data PRIVATE sluice_records_format sluice_warnings
                                     OpenSSL::Crypto Threads::Threads nlohmann_json::nlohmann_json)
