# Tests of strategies, loaded from disk as the host loads them.
add_executable(strategy_tests unit/strategies/strategy_test.cpp)
target_link_libraries(strategy_tests PRIVATE sluice_registry sluice_sdk sluice_warnings GTest::gtest_main)
target_compile_definitions(strategy_tests PRIVATE
  SLUICE_TEST_BROKEN_DIR="${CMAKE_BINARY_DIR}/tests/broken_plugins"
  SLUICE_TEST_PLUGIN_DIR="${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR}")
add_dependencies(strategy_tests sluice_mirrored)
gtest_discover_tests(strategy_tests DISCOVERY_MODE PRE_TEST)

# Each test is a job of several processes. Each fault has a job of its own, since it breaks the link between processes.
if(TARGET sluice_multi_worker)
  find_program(SLUICE_MPIRUN mpirun DOC "Starts the processes of an MPI job")
  add_executable(multi_worker_tests unit/strategies/multi_worker_test.cpp)
  target_link_libraries(multi_worker_tests PRIVATE sluice_registry sluice_sdk sluice_warnings GTest::gtest)
  target_compile_definitions(multi_worker_tests PRIVATE
    SLUICE_TEST_PLUGIN_DIR="${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR}")
  add_dependencies(multi_worker_tests sluice_multi_worker)
  function(add_multi_worker_test name processes environment)
    add_test(NAME multi_worker.${name}
      COMMAND ${SLUICE_MPIRUN} ${ARGN} -n ${processes} $<TARGET_FILE:multi_worker_tests>)
    # Options of mpirun differ between Open MPI 4 and 5, and each version ignores the other's variables.
    set_tests_properties(multi_worker.${name} PROPERTIES TIMEOUT 120 PROCESSORS 2 ENVIRONMENT
      "${environment};OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;\
PRTE_MCA_rmaps_default_mapping_policy=:OVERSUBSCRIBE;PRTE_ALLOW_RUN_AS_ROOT=1;PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1")
  endfunction()
  foreach(processes 1 2 3 4)
    add_multi_worker_test(of_${processes} ${processes} SLUICE_TEST_REPLICAS=1)
  endforeach()
  add_multi_worker_test(of_2_with_2_replicas 2 SLUICE_TEST_REPLICAS=2)
  # The processes exit without finalizing MPI, which mpirun takes for a failure.
  foreach(fault gives_up late other)
    add_multi_worker_test(${fault} 3 SLUICE_TEST_FAULT=${fault} --enable-recovery)
    set_tests_properties(multi_worker.${fault} PROPERTIES
      PASS_REGULAR_EXPRESSION "OK[^\n]*names_who.*OK[^\n]*names_who.*OK[^\n]*names_who"
      FAIL_REGULAR_EXPRESSION "FAILED|Signal: ")
  endforeach()
endif()
