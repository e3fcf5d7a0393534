add_library(sluice_bench STATIC
  bench/busy_work.cpp
  bench/device_bandwidth.cpp
  bench/device_peaks.cpp
  bench/device_rate.cpp
  bench/launch_limit.cpp
  bench/launch_times.cpp
  bench/measurement.cpp
  bench/peak_rates.cpp
  bench/report_json.cpp
  bench/report_text.cpp
  bench/spread.cpp
  bench/stepper.cpp
  bench/usage_watch.cpp)
target_link_libraries(sluice_bench PUBLIC sluice_run PRIVATE sluice_warnings nlohmann_json::nlohmann_json)
