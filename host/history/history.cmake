add_library(sluice_history STATIC
  history/advice.cpp
  history/event_line.cpp
  history/growing_file.cpp
  history/run_file.cpp
  history/run_history.cpp
  history/run_lock.cpp
  history/run_record.cpp
  history/run_state.cpp
  history/run_summary.cpp
  history/series.cpp
  history/step_split.cpp
  history/usage_rows.cpp)
target_link_libraries(sluice_history PUBLIC sluice_base PRIVATE nlohmann_json::nlohmann_json sluice_warnings)
