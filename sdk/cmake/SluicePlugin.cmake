# sluice_add_plugin(NAME SOURCES file... [LIBS target...] [MANIFEST file] [COMPONENT name] [FOLDER folder])
#
# Builds NAME.so, the shared library of one plugin, the same in Sluice's own tree and in that of another author, who has it
# by find_package(Sluice): hidden visibility, one exported symbol, no undefined symbols, and the manifest embedded in it:
# plugin.toml of the current folder, if no other is named. Once it is linked, CheckSluicePlugin.cmake looks at it.
# It is installed to SLUICE_PLUGIN_DIR, as COMPONENT (runtime, if no other is named), unless it lies in a FOLDER of its own,
# as the plugins of tests do.
#
# Sanitizers add symbols of their own: with -fsanitize, also by SLUICE_SANITIZE, symbols are neither forced nor checked.
cmake_policy(VERSION 3.25)  # of this file alone

# Embeds the file `manifest` in the target.
function(sluice_embed_manifest target manifest)
  cmake_path(ABSOLUTE_PATH manifest)
  if(NOT EXISTS ${manifest})
    message(FATAL_ERROR "plugin ${target} has no manifest: there is no file ${manifest}; write it, or name another with MANIFEST")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(suffix c)
  if(NOT C IN_LIST languages)
    set(suffix cpp)
  endif()
  set(embed ${CMAKE_CURRENT_BINARY_DIR}/${target}.manifest.${suffix})
  file(CONFIGURE OUTPUT ${embed} CONTENT "#include \"sluice/manifest.h\"\nSLUICE_EMBED_MANIFEST(\"@manifest@\")\n" @ONLY)
  set_source_files_properties(${embed} PROPERTIES OBJECT_DEPENDS ${manifest} SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${embed})
endfunction()

# Checks the target each time that it was linked; one that is wrong is removed, and the build fails.
function(sluice_check_when_linked target)
  set(host "")
  if(TARGET Sluice::host AND NOT CMAKE_CROSSCOMPILING)
    set(host -DHOST=$<TARGET_FILE:Sluice::host>)
  endif()
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM
    COMMAND ${CMAKE_COMMAND} -DPLUGIN=$<TARGET_FILE:${target}> -DREADELF=${CMAKE_READELF} ${host}
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CheckSluicePlugin.cmake)
endfunction()

function(sluice_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MANIFEST;COMPONENT;FOLDER" "SOURCES;LIBS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "sluice_add_plugin(${name} ${ARGN}): NAME SOURCES file... is needed")
  endif()
  if(NOT arg_MANIFEST)
    set(arg_MANIFEST plugin.toml)
  endif()
  if(NOT arg_COMPONENT)
    set(arg_COMPONENT runtime)
  endif()

  add_library(${name} MODULE ${arg_SOURCES})
  sluice_embed_manifest(${name} ${arg_MANIFEST})
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX .so C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sluice.map;${CMAKE_CURRENT_FUNCTION_LIST_DIR}/CheckSluicePlugin.cmake")
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  # Messages name places in sources from the project's folder on, wherever it lies.
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>
                                         -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(CXX IN_LIST languages)
    target_link_libraries(${name} PRIVATE Sluice::sdk)
  endif()
  target_link_libraries(${name} PRIVATE Sluice::plugin_api $<TARGET_NAME_IF_EXISTS:sluice_warnings> ${arg_LIBS})
  target_link_options(${name} PRIVATE LINKER:--version-script=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sluice.map
                                      LINKER:--exclude-libs,ALL LINKER:-Bsymbolic-functions LINKER:-z,noexecstack)
  if(NOT SLUICE_SANITIZE AND NOT "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize=")
    target_link_options(${name} PRIVATE LINKER:-z,defs)
    sluice_check_when_linked(${name})
  endif()
  if(arg_FOLDER)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${arg_FOLDER})
  else()
    if(SLUICE_PLUGIN_OUTPUT_DIR)
      set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${SLUICE_PLUGIN_OUTPUT_DIR})
    endif()
    install(TARGETS ${name} LIBRARY DESTINATION ${SLUICE_PLUGIN_DIR} COMPONENT ${arg_COMPONENT})
  endif()
endfunction()
