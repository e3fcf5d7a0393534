add_executable(host
  cli/bench.cpp
  cli/check.cpp
  cli/check_printer.cpp
  cli/checkpoint_pipeline.cpp
  cli/compare.cpp
  cli/complete.cpp
  cli/diagnose.cpp
  cli/diagnosed.cpp
  cli/doctor.cpp
  cli/drain.cpp
  cli/evaluate.cpp
  cli/health/health.cpp
  cli/health/health_text.cpp
  cli/help.cpp
  cli/interposition/exit.cpp
  cli/interposition/thread_start.cpp
  cli/launch.cpp
  cli/main.cpp
  cli/new.cpp
  cli/pages/help_pages.cpp
  cli/pages/markdown.cpp
  cli/plan.cpp
  cli/plugin_project.cpp
  cli/plugins.cpp
  cli/predict.cpp
  cli/predict_inputs.cpp
  cli/prepare.cpp
  cli/profile.cpp
  cli/profile_request.cpp
  cli/replica_options.cpp
  cli/report.cpp
  cli/resume.cpp
  cli/runs.cpp
  cli/schema.cpp
  cli/schema/key_descriptions.cpp
  cli/schema/pipeline_schema.cpp
  cli/schema/set_completions.cpp
  cli/serve.cpp
  cli/stream_option.cpp
  cli/terminal/command.cpp
  cli/terminal/error_report.cpp
  cli/terminal/open_registry.cpp
  cli/terminal/options.cpp
  cli/terminal/pipeline_file.cpp
  cli/terminal/progress_line.cpp
  cli/terminal/shell_words.cpp
  cli/terminal/standard_streams.cpp
  cli/train.cpp
  cli/training/closing_lines.cpp
  cli/training/environment_json.cpp
  cli/training/measure_log.cpp
  cli/training/memory_forecast.cpp
  cli/training/opening_lines.cpp
  cli/training/shared_errors.cpp
  cli/training/shared_samples.cpp
  cli/training/stage_logger.cpp
  cli/training/stop_code.cpp
  cli/training/training.cpp
  cli/training/training_data.cpp
  cli/tune.cpp
  cli/watch.cpp)
target_link_libraries(host PRIVATE sluice_run sluice_watch sluice_serve sluice_compare sluice_report sluice_profile sluice_call_checks sluice_bench sluice_launch sluice_check sluice_diagnose sluice_prepare sluice_picture_walk sluice_warnings Boost::program_options
                                   nlohmann_json::nlohmann_json)
# Exported explicitly, so that plugins resolve these functions to those of the program.
set(interposed exit quick_exit _exit _Exit pthread_create fork)
if(NOT SLUICE_SANITIZE)  # sanitizers interpose operator new themselves
  target_sources(host PRIVATE cli/interposition/allocation.cpp)
  list(APPEND interposed _Znwm _ZnwmSt11align_val_t)  # as GCC and Clang mangle it on 64-bit machines
endif()
foreach(function ${interposed})
  target_link_options(host PRIVATE LINKER:--export-dynamic-symbol=${function})
endforeach()
file(RELATIVE_PATH page_dir /${SLUICE_HOST_DIR} /${SLUICE_PAGE_DIR})
file(RELATIVE_PATH author_page_dir /${SLUICE_HOST_DIR} /${SLUICE_AUTHOR_PAGE_DIR})
file(RELATIVE_PATH package_dir /${SLUICE_HOST_DIR} /${CMAKE_INSTALL_DATADIR}/cmake/Sluice)
file(RELATIVE_PATH prefix_dir /${SLUICE_HOST_DIR} /)
file(RELATIVE_PATH template_dir /${SLUICE_HOST_DIR} /${SLUICE_TEMPLATE_DIR})
target_compile_definitions(host PRIVATE SLUICE_VERSION="${PROJECT_VERSION}" SLUICE_COMPILER="${CMAKE_CXX_COMPILER_ID}"
                                        SLUICE_TEMPLATE_DIR="${template_dir}"
                                        SLUICE_PACKAGE_DIR="${package_dir}" SLUICE_PREFIX="${prefix_dir}"
                                        SLUICE_PAGE_DIR="${page_dir}" SLUICE_AUTHOR_PAGE_DIR="${author_page_dir}")
set_target_properties(host PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${SLUICE_HOST_DIR})
install(TARGETS host RUNTIME DESTINATION ${SLUICE_HOST_DIR} COMPONENT runtime)
# bind9-host owns the name `host` on the path, so the installed program is called `sluice`.
file(RELATIVE_PATH program /${CMAKE_INSTALL_BINDIR} /${SLUICE_HOST_DIR}/host)
file(CREATE_LINK ${program} ${CMAKE_CURRENT_BINARY_DIR}/sluice SYMBOLIC)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sluice DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)

install(FILES completion/sluice.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME sluice
        COMPONENT runtime)
install(FILES completion/_sluice DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT runtime)

set(pipelines deblur.toml deblur-photos.toml deblur-article.toml)
foreach(pipeline ${pipelines})
  configure_file(pipelines/${pipeline} ${CMAKE_BINARY_DIR}/${SLUICE_PIPELINE_DIR}/${pipeline} COPYONLY)
  install(FILES pipelines/${pipeline} DESTINATION ${SLUICE_PIPELINE_DIR} COMPONENT runtime)
endforeach()

file(GLOB models CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/models/*.toml)
foreach(model ${models})
  cmake_path(GET model FILENAME name)
  configure_file(${model} ${CMAKE_BINARY_DIR}/${SLUICE_MODEL_DIR}/${name} COPYONLY)
endforeach()
install(FILES ${models} DESTINATION ${SLUICE_MODEL_DIR} COMPONENT runtime)

# The pages for users, which `host help` shows. The installed pages call the program `sluice`.
set(page_link ${CMAKE_BINARY_DIR}/${SLUICE_PAGE_DIR})
cmake_path(GET page_link PARENT_PATH page_place)
file(MAKE_DIRECTORY ${page_place})
file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/docs ${page_link} SYMBOLIC)
file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/docs/*.md)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/docs)
foreach(page ${pages})
  cmake_path(GET page FILENAME name)
  set(installed ${CMAKE_CURRENT_BINARY_DIR}/docs/${name})
  execute_process(COMMAND sed -e "/^```sh/,/^```$/ s/\\(^\\|[ =]\\)host /\\1sluice /g" -e "s/`host /`sluice /g"
                  INPUT_FILE ${page} OUTPUT_FILE ${installed} COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  install(FILES ${installed} DESTINATION ${SLUICE_PAGE_DIR} COMPONENT runtime)
endforeach()
