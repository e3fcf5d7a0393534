# Samples and batches: the order of an epoch, the chain of transforms with its cache, and the loader's threads.
add_library(sluice_data STATIC
  data/cache/cache.cpp
  data/cache/cache_folder.cpp
  data/cache/cache_trim.cpp
  data/cache/disk_cache.cpp
  data/cache/kept_file.cpp
  data/cache/kept_record.cpp
  data/cache/memory_cache.cpp
  data/chain/bad_samples.cpp
  data/chain/chain.cpp
  data/chain/class_names.cpp
  data/chain/order.cpp
  data/chain/pushdown.cpp
  data/chain/sample_memory.cpp
  data/chain/sampling.cpp
  data/chain/sources.cpp
  data/chain/stage_times.cpp
  data/chain/worker.cpp
  data/loader/awaiting.cpp
  data/loader/batch_lines.cpp
  data/loader/batch_ring.cpp
  data/loader/batch_ring_telling.cpp
  data/loader/batch_ring_tuning.cpp
  data/loader/batch_slot.cpp
  data/loader/batch_stages.cpp
  data/loader/caller_clock.cpp
  data/loader/epoch_digest.cpp
  data/loader/figures.cpp
  data/loader/label_check.cpp
  data/loader/loader.cpp
  data/loader/stall_watch.cpp
  data/loader/tuner.cpp
  data/loader/witness.cpp)
target_link_libraries(sluice_data PUBLIC sluice_registry PRIVATE sluice_warnings sluice_xxhash nlohmann_json::nlohmann_json OpenSSL::Crypto Threads::Threads)
