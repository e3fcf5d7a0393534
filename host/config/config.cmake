# Turns a pipeline file into a typed specification. host/CMakeLists.txt includes this; paths are relative to its folder.
add_library(sluice_config STATIC
  config/cache_entry.cpp
  config/check_references.cpp
  config/derived_pipeline.cpp
  config/environment_variables.cpp
  config/include.cpp
  config/installed_files.cpp
  config/keys.cpp
  config/load.cpp
  config/merge.cpp
  config/model_file.cpp
  config/override.cpp
  config/parameters.cpp
  config/pipeline_text.cpp
  config/read_component.cpp
  config/read_data.cpp
  config/read_learning.cpp
  config/read_model.cpp
  config/read_pipeline.cpp
  config/read_run.cpp
  config/read_units.cpp
  config/recorded_origins.cpp
  config/spec.cpp
  config/table_reader.cpp)
target_link_libraries(sluice_config PUBLIC sluice_base PRIVATE sluice_warnings)
file(RELATIVE_PATH pipeline_dir /${SLUICE_HOST_DIR} /${SLUICE_PIPELINE_DIR})
file(RELATIVE_PATH model_dir /${SLUICE_HOST_DIR} /${SLUICE_MODEL_DIR})
set_source_files_properties(config/installed_files.cpp PROPERTIES COMPILE_DEFINITIONS
                            "SLUICE_PIPELINE_DIR=\"${pipeline_dir}\";SLUICE_MODEL_DIR=\"${model_dir}\"")
