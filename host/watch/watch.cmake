set(CURSES_NEED_WIDE TRUE)
find_package(Curses REQUIRED)  # Debian's libncurses-dev
add_library(sluice_watch STATIC
  watch/frame.cpp
  watch/graph.cpp
  watch/run_frame.cpp
  watch/run_view.cpp
  watch/screen.cpp)
target_include_directories(sluice_watch PRIVATE ${CURSES_INCLUDE_DIRS})
target_link_libraries(sluice_watch PUBLIC sluice_history PRIVATE ${CURSES_LIBRARIES} sluice_warnings)
# curses.h has macros for common words.
set_source_files_properties(watch/screen.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
