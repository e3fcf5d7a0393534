# Tests of the web pages about runs.
add_executable(serve_tests
  unit/serve/access_test.cpp
  unit/serve/site_test.cpp
  unit/serve/summary_cache_test.cpp
  unit/serve/target_test.cpp
  unit/serve/web_server_test.cpp)
target_link_libraries(serve_tests PRIVATE sluice_serve sluice_warnings GTest::gtest_main nlohmann_json::nlohmann_json)
add_tests_in_one_process(serve)
