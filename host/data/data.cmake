# Samples and batches: the order of an epoch, the chain of transforms with its cache, and the loader's threads.
add_library(sluice_data STATIC
  data/awaiting.cpp data/bad_samples.cpp data/batch_lines.cpp data/batch_ring.cpp data/batch_ring_telling.cpp
  data/batch_ring_tuning.cpp data/batch_slot.cpp data/batch_stages.cpp data/cache.cpp data/cache_folder.cpp
  data/cache_trim.cpp data/caller_clock.cpp data/chain.cpp data/class_names.cpp data/disk_cache.cpp data/epoch_digest.cpp data/figures.cpp
  data/kept_file.cpp data/kept_record.cpp data/label_check.cpp data/loader.cpp data/memory_cache.cpp data/order.cpp
  data/pushdown.cpp data/sample_memory.cpp data/sampling.cpp data/sources.cpp data/stage_times.cpp data/stall_watch.cpp
  data/tuner.cpp data/witness.cpp data/worker.cpp)
target_link_libraries(sluice_data PUBLIC sluice_registry PRIVATE sluice_warnings sluice_xxhash nlohmann_json::nlohmann_json OpenSSL::Crypto Threads::Threads)
