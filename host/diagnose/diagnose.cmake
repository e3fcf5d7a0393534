add_library(sluice_diagnose STATIC
  diagnose/magnitudes.cpp
  diagnose/precision_report.cpp
  diagnose/precision_trial.cpp
  diagnose/tensor_reading.cpp)
target_link_libraries(sluice_diagnose PUBLIC sluice_bench PRIVATE sluice_warnings nlohmann_json::nlohmann_json)
