# What most files of the host include is compiled once. Each file still includes what it uses: presets other than
# `release` build without this.
target_precompile_headers(sluice_config PRIVATE
  <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <mutex> <optional> <span>
  <sstream> <string> <string_view> <utility> <variant> <vector> <fmt/format.h>)
foreach(target sluice_bench sluice_check sluice_data sluice_diagnose sluice_launch sluice_plan sluice_prepare
               sluice_registry sluice_run host)
  target_precompile_headers(${target} REUSE_FROM sluice_config)
endforeach()
# GCC 12 warns there of the standard library's own code, once it was precompiled (GCC bug 105329).
set_source_files_properties(bench/launch_work.cpp cli/launch.cpp plan/listing.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
