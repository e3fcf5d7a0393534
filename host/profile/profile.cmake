add_library(sluice_profile STATIC
  profile/process_figures.cpp
  profile/recorder.cpp
  profile/stage.cpp
  profile/stage_clock.cpp
  profile/window_json.cpp
  profile/window_view.cpp)
target_link_libraries(sluice_profile PUBLIC sluice_base PRIVATE nlohmann_json::nlohmann_json sluice_warnings)
