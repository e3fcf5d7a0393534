# `host prepare`: part of a data chain, made once and written to files of records.
add_library(sluice_prepare STATIC
  prepare/folder_lock.cpp
  prepare/missing_shards.cpp
  prepare/ordered_samples.cpp
  prepare/output_file.cpp
  prepare/prefix.cpp
  prepare/preparation_identity.cpp
  prepare/prepare.cpp
  prepare/probe_samples.cpp
  prepare/progress_meter.cpp
  prepare/randomness.cpp
  prepare/reading_lines.cpp
  prepare/sample_weights.cpp
  prepare/shard_format.cpp
  prepare/shard_layout.cpp
  prepare/written_files.cpp)
target_link_libraries(sluice_prepare PUBLIC sluice_config sluice_data PRIVATE sluice_records_format sluice_warnings
                                     OpenSSL::Crypto Threads::Threads nlohmann_json::nlohmann_json)
