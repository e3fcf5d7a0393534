add_library(sluice_profile STATIC
  profile/critical_path.cpp
  profile/growth.cpp
  profile/idle_split.cpp
  profile/memory_use.cpp
  profile/operation_table.cpp
  profile/pieces.cpp
  profile/process_figures.cpp
  profile/recorder.cpp
  profile/recording_cost.cpp
  profile/report.cpp
  profile/report_json.cpp
  profile/report_text.cpp
  profile/run_memory.cpp
  profile/stage.cpp
  profile/stage_clock.cpp
  profile/start_parts.cpp
  profile/step_times.cpp
  profile/usage_table.cpp
  profile/window_files.cpp
  profile/window_json.cpp
  profile/window_view.cpp)
target_link_libraries(sluice_profile PUBLIC sluice_base PRIVATE nlohmann_json::nlohmann_json sluice_warnings)
