# Tests of schemas, of refusals before loading, of loading, and of the objects' checks.
find_package(GTest REQUIRED)
include(GoogleTest)
add_subdirectory(${CMAKE_CURRENT_LIST_DIR}/../broken_plugins ${CMAKE_BINARY_DIR}/tests/broken_plugins EXCLUDE_FROM_ALL)

add_executable(registry_tests
  unit/checked/checks_test.cpp
  unit/checked/output_memory_test.cpp
  unit/registry/loading/call_test.cpp
  unit/registry/loading/fault_guard_test.cpp
  unit/registry/loading/load_test.cpp
  unit/registry/loading/load_watch_test.cpp
  unit/registry/loading/registry_test.cpp
  unit/registry/manifest/manifest_section_test.cpp
  unit/registry/manifest/manifest_test.cpp
  unit/registry/manifest/schema_test.cpp
  unit/registry/manifest/version_test.cpp
  unit/registry/objects/kernel_test.cpp
  unit/registry/objects/objects_test.cpp
  unit/registry/objects/tuning_cache_test.cpp
  unit/strategies/strategy_test.cpp)
target_link_libraries(registry_tests PRIVATE sluice_checked sluice_registry sluice_sdk sluice_warnings GTest::gtest_main)
target_compile_definitions(registry_tests PRIVATE
  SLUICE_TEST_BROKEN_DIR="${CMAKE_BINARY_DIR}/tests/broken_plugins"
  SLUICE_TEST_FAULTY_DIR="${CMAKE_BINARY_DIR}/tests/faulty_plugins"
  SLUICE_TEST_MANIFEST_PAGE="${PROJECT_SOURCE_DIR}/plugin_api/manifest.md"
  SLUICE_TEST_CHECKING_PAGE="${PROJECT_SOURCE_DIR}/sdk/docs/checking.md"
  SLUICE_TEST_TFRECORD="${CMAKE_CURRENT_LIST_DIR}/datasets/tensorflow/pictures.tfrecord"
  SLUICE_TEST_KIND_HEADERS="${PROJECT_SOURCE_DIR}/plugin_api/include/sluice/kind"
  SLUICE_TEST_PLUGIN_DIR="${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR}")
add_dependencies(registry_tests broken_plugins faulty_plugins sluice_mirrored sluice_records)
gtest_discover_tests(registry_tests DISCOVERY_MODE PRE_TEST)

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
