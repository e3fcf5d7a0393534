add_library(sluice_checked STATIC
  checked/breach.cpp
  checked/call.cpp
  checked/checks.cpp
  checked/data.cpp
  checked/device.cpp
  checked/lend.cpp
  checked/lent_error.cpp
  checked/lent_memory.cpp
  checked/libraries.cpp
  checked/model.cpp
  checked/output_memory.cpp
  checked/participants.cpp
  checked/process_state.cpp
  checked/services.cpp
  checked/sinks.cpp
  checked/training.cpp
  checked/watch.cpp
  checked/wrap.cpp)
target_link_libraries(sluice_checked PUBLIC sluice_registry PRIVATE sluice_warnings)
