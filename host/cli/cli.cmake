add_executable(host
  cli/main.cpp cli/bench.cpp cli/check.cpp cli/command.cpp cli/diagnose.cpp cli/doctor.cpp cli/drain.cpp cli/environment.cpp cli/evaluate.cpp cli/health.cpp cli/health_text.cpp cli/launch.cpp cli/loaded.cpp
  cli/plan.cpp cli/plugins.cpp cli/predict.cpp cli/prepare.cpp cli/replica_question.cpp cli/progress_line.cpp cli/resume.cpp cli/stage_watch.cpp cli/train.cpp cli/training.cpp cli/training_data.cpp)
target_link_libraries(host PRIVATE sluice_run sluice_bench sluice_launch sluice_check sluice_diagnose sluice_prepare sluice_warnings Boost::program_options
                                   nlohmann_json::nlohmann_json)
target_compile_definitions(host PRIVATE SLUICE_VERSION="${PROJECT_VERSION}" SLUICE_COMPILER="${CMAKE_CXX_COMPILER_ID}")
set_target_properties(host PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${SLUICE_HOST_DIR})
install(TARGETS host RUNTIME DESTINATION ${SLUICE_HOST_DIR})
# bind9-host owns the name `host` on the path: there the program is called `sluice`.
install(CODE "file(MAKE_DIRECTORY \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin)
file(CREATE_LINK ../${SLUICE_HOST_DIR}/host \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/sluice SYMBOLIC)")

set(pipelines deblur.toml deblur-photos.toml deblur-article.toml)
foreach(pipeline ${pipelines})
  configure_file(pipelines/${pipeline} ${CMAKE_BINARY_DIR}/${SLUICE_PIPELINE_DIR}/${pipeline} COPYONLY)
  install(FILES pipelines/${pipeline} DESTINATION ${SLUICE_PIPELINE_DIR})
endforeach()
