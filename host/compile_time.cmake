# Makes the host compile fast, by unity builds and precompiled headers. Each file still includes what it uses, because
# presets other than `release` compile files alone.
sluice_compile_together(sluice_base sluice_config sluice_registry sluice_call_checks sluice_data sluice_prepare sluice_plan
                        sluice_observe sluice_profile sluice_history sluice_run sluice_launch sluice_bench sluice_diagnose sluice_check host)

target_precompile_headers(sluice_config PRIVATE
  <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <mutex> <optional> <span>
  <sstream> <string> <string_view> <utility> <variant> <vector> <fmt/format.h>)
# sluice_call_checks, sluice_history and sluice_profile do without: GCC 12 then warns about the standard library's own code (GCC bug 105329).
foreach(target sluice_bench sluice_check sluice_data sluice_diagnose sluice_launch sluice_plan sluice_prepare
               sluice_registry sluice_run host)
  target_precompile_headers(${target} REUSE_FROM sluice_config)
endforeach()
# The same holds for these files.
set_source_files_properties(
  cli/launch.cpp
  plan/launch_work.cpp
  plan/plan_text.cpp
  PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
# An operator new that the compiler inlines does not match the operator delete, which it does not see.
set_source_files_properties(cli/interposition/allocation.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# The loops have options of their own.
set_source_files_properties(base/peaks/multiply_loops.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
