add_library(sluice_call_checks STATIC
  call_checks/breach.cpp
  call_checks/breach_report.cpp
  call_checks/checked_call.cpp
  call_checks/checked_component.cpp
  call_checks/checked_component.cpp
  call_checks/checks.cpp
  call_checks/data_contracts.cpp
  call_checks/device_contracts.cpp
  call_checks/lend.cpp
  call_checks/lent_error.cpp
  call_checks/lent_memory.cpp
  call_checks/libraries_contract.cpp
  call_checks/model_contracts.cpp
  call_checks/output_memory.cpp
  call_checks/participants.cpp
  call_checks/process_state.cpp
  call_checks/rules.cpp
  call_checks/services.cpp
  call_checks/sinks.cpp
  call_checks/training_contracts.cpp
  call_checks/wrap.cpp)
target_link_libraries(sluice_call_checks PUBLIC sluice_registry PRIVATE sluice_warnings)
