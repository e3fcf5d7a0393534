find_file(SLUICE_CHART_LIBRARY chart.min.js PATHS /usr/share/javascript/chart.js REQUIRED
          DOC "Chart.js 3 (Debian's libjs-chart.js)")
add_library(sluice_report STATIC
  report/assets.cpp
  report/curve.cpp
  report/diagnosis_section.cpp
  report/page.cpp
  report/report_writer.cpp
  report/run_page.cpp
  report/run_report.cpp
  report/window_section.cpp)
target_link_libraries(sluice_report PUBLIC sluice_history sluice_profile
                      PRIVATE nlohmann_json::nlohmann_json OpenSSL::Crypto sluice_warnings)
set(assets ${CMAKE_CURRENT_SOURCE_DIR}/report/assets)
set_source_files_properties(report/assets.cpp PROPERTIES
  COMPILE_DEFINITIONS "SLUICE_ASSETS=\"${assets}\";SLUICE_CHART_LIBRARY=\"${SLUICE_CHART_LIBRARY}\""
  OBJECT_DEPENDS "${assets}/chart_licence.js;${assets}/style.css;${assets}/page.js;${SLUICE_CHART_LIBRARY}"
  SKIP_UNITY_BUILD_INCLUSION ON)
