add_library(sluice_serve STATIC
  serve/access.cpp
  serve/run_cache.cpp
  serve/site.cpp
  serve/summary_cache.cpp
  serve/target.cpp
  serve/web_server.cpp)
target_link_libraries(sluice_serve PUBLIC sluice_history sluice_report PRIVATE sluice_compare OpenSSL::Crypto Boost::headers
                                          sluice_warnings)
# Asio only needs its headers; the macros keep other parts of Boost out.
target_compile_definitions(sluice_serve PRIVATE BOOST_ASIO_NO_DEPRECATED)
# The library's templates take long to compile, and share no header with the other files.
set_source_files_properties(serve/web_server.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
