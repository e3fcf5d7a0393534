# sluice_add_plugin(NAME SOURCES file... [LIBS target...] [MANIFEST file] [FOLDER folder])
#
# Builds the shared library of one plugin: hidden visibility, one exported symbol, no undefined symbols, and the
# manifest embedded in it: plugin.toml of the current folder, if no other is named. It is installed, unless it lies in a
# FOLDER of its own, as the plugins of tests do.

function(sluice_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MANIFEST;FOLDER" "SOURCES;LIBS")
  if(NOT arg_MANIFEST)
    set(arg_MANIFEST plugin.toml)
  endif()

  # The manifest as it is embedded: what the build knows, then what the author wrote.
  file(READ ${arg_MANIFEST} written)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${arg_MANIFEST})
  set(manifest ${CMAKE_CURRENT_BINARY_DIR}/${name}.manifest.toml)
  file(CONFIGURE OUTPUT ${manifest} CONTENT "abi = \"1.0\"\narch = \"${CMAKE_SYSTEM_PROCESSOR}\"\n@written@" @ONLY)
  set(embed ${CMAKE_CURRENT_BINARY_DIR}/${name}.manifest.c)
  file(CONFIGURE OUTPUT ${embed} CONTENT [[
__asm__(".pushsection .sluice.manifest,\"a\",@progbits\n.incbin \"@manifest@\"\n.popsection");
extern int sluice_manifest_is_embedded;
]] @ONLY)
  set_source_files_properties(${embed} PROPERTIES OBJECT_DEPENDS ${manifest} COMPILE_OPTIONS -Wno-pedantic)

  add_library(${name} MODULE ${arg_SOURCES} ${embed})
  set_target_properties(${name} PROPERTIES
    PREFIX "" C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${SLUICE_PLUGIN_DIR})
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
  target_link_libraries(${name} PRIVATE sluice_sdk sluice_warnings ${arg_LIBS})
  target_link_options(${name} PRIVATE LINKER:--version-script=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sluice.map
                                      LINKER:--exclude-libs,ALL LINKER:-Bsymbolic-functions)
  if(NOT SLUICE_SANITIZE)
    target_link_options(${name} PRIVATE LINKER:-z,defs)
  endif()
  if(arg_FOLDER)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${arg_FOLDER})
  else()
    install(TARGETS ${name} LIBRARY DESTINATION ${SLUICE_PLUGIN_DIR})
  endif()
endfunction()
