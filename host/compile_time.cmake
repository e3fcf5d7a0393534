# Makes the host compile fast, by unity builds and precompiled headers. Each file still includes what it uses, because
# presets other than `release` compile files alone.
sluice_compile_together(sluice_base sluice_config sluice_registry sluice_call_checks sluice_data sluice_prepare sluice_plan
                        sluice_observe sluice_profile sluice_history sluice_report sluice_compare sluice_serve sluice_watch sluice_run sluice_launch sluice_bench sluice_diagnose sluice_check host)

sluice_optimise_less(sluice_call_checks sluice_check sluice_compare sluice_config sluice_diagnose sluice_history sluice_launch sluice_plan
                     sluice_prepare sluice_profile sluice_registry sluice_report sluice_serve sluice_watch host)
# These files of sluice_profile do run in every step.
set_source_files_properties(
  profile/recorder.cpp
  profile/stage_clock.cpp
  PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3> SKIP_UNITY_BUILD_INCLUSION ON)

# Code that is optimised in another way needs precompiled headers of its own: GCC 12 crashes on those of other options.
# sluice_call_checks, sluice_history and sluice_profile do without: GCC 12 then warns about the standard library's own
# code (GCC bug 105329).
set(headers <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <mutex> <optional>
            <span> <sstream> <string> <string_view> <utility> <variant> <vector> <fmt/format.h>)
target_precompile_headers(sluice_config PRIVATE ${headers})
target_precompile_headers(sluice_run PRIVATE ${headers})
foreach(target sluice_check sluice_diagnose sluice_launch sluice_plan sluice_prepare sluice_registry host)
  target_precompile_headers(${target} REUSE_FROM sluice_config)
endforeach()
foreach(target sluice_bench sluice_data)
  target_precompile_headers(${target} REUSE_FROM sluice_run)
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
