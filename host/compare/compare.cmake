add_library(sluice_compare STATIC
  compare/change_text.cpp
  compare/comparison.cpp
  compare/comparison_json.cpp
  compare/comparison_page.cpp
  compare/comparison_text.cpp
  compare/condition.cpp
  compare/estimate.cpp
  compare/figures.cpp
  compare/setting_differences.cpp)
target_link_libraries(sluice_compare PUBLIC sluice_history sluice_report
                      PRIVATE nlohmann_json::nlohmann_json Boost::headers sluice_warnings)
