# cmake -DPLUGIN=file [-DREADELF=program] [-DHOST=program] -P CheckSluicePlugin.cmake
#
# Checks a plugin's file: its one export, its manifest, and that it loads on other machines too. A file that is wrong is
# removed, so that nothing uses it and the next build links it again. What the manifest says is read by HOST, where there
# is one. Loads nothing.
cmake_minimum_required(VERSION 3.25)
if(NOT READELF)
  set(READELF readelf)
endif()
set(ENV{LC_ALL} C)

function(wrong why)
  file(REMOVE ${PLUGIN})
  message(FATAL_ERROR " ${PLUGIN}: ${why}")  # the space makes CMake keep it on one line
endfunction()

# The lines that readelf prints with these options.
function(read_elf lines)
  execute_process(COMMAND ${READELF} --wide ${ARGN} ${PLUGIN}
                  OUTPUT_VARIABLE text ERROR_VARIABLE trouble RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${PLUGIN}: ${READELF} (Debian: binutils) cannot read it: ${status} ${trouble}")
  endif()
  string(REGEX REPLACE "[][;]" "|" text "${text}")  # which would make other lists of it
  string(REPLACE "\n" ";" text "${text}")
  set(${lines} "${text}" PARENT_SCOPE)
endfunction()

# Number, value, size, type, binding, visibility, section, name: what is defined here and seen from outside.
read_elf(symbols --dyn-syms)
set(exports "")
foreach(line IN LISTS symbols)
  if(line MATCHES "(GLOBAL|WEAK|UNIQUE) +(DEFAULT|PROTECTED) +(ABS|COM|[0-9]+) +([^ @]+)")
    list(APPEND exports ${CMAKE_MATCH_4})
  endif()
endforeach()
if(NOT sluice_plugin_v1 IN_LIST exports)
  wrong("does not export sluice_plugin_v1; define it in one of the sources, in C++ by SLUICE_DEFINE_PLUGIN")
endif()
list(REMOVE_ITEM exports sluice_plugin_v1)
if(exports)
  list(JOIN exports " " exports)
  wrong("exports more than sluice_plugin_v1, which could meet symbols of other plugins: ${exports}")
endif()

read_elf(sections --sections)
if(NOT sections MATCHES " \\.sluice\\.manifest ")
  wrong("has no manifest; binutils before 2.36 and clang before 13 cannot keep it from --gc-sections")
endif()

read_elf(segments --program-headers)
if(NOT segments MATCHES "GNU_STACK [^;]* RW +0")
  wrong("needs an executable stack; a source in assembler lacks its section .note.GNU-stack")
endif()

read_elf(dynamic --dynamic)
foreach(line IN LISTS dynamic)
  if(line MATCHES "\\(TEXTREL\\)")
    wrong("has relocations in its code; compile all of it, static libraries too, with -fPIC")
  elseif(line MATCHES "\\(NEEDED\\).*\\|(.*/.*)\\|")
    wrong("needs ${CMAKE_MATCH_1} at that very place; give that library a soname (CMake: no NO_SONAME)")
  elseif(line MATCHES "\\((RPATH|RUNPATH)\\).*\\|(.*)\\|")
    string(REPLACE ":" ";" folders "${CMAKE_MATCH_2}")
    foreach(folder IN LISTS folders)  # CMake's own ends in an empty one, which goes when it is installed
      if(NOT folder STREQUAL "" AND NOT folder MATCHES "^(/|\\$ORIGIN|\\\${ORIGIN})")
        wrong("looks for libraries in ${folder}, wherever the process happens to be; name it from / or from $ORIGIN on")
      endif()
    endforeach()
  endif()
endforeach()

if(HOST)
  execute_process(COMMAND ${HOST} plugins show ${PLUGIN} OUTPUT_QUIET ERROR_VARIABLE trouble RESULT_VARIABLE status)
  string(STRIP "${trouble}" trouble)
  if(NOT status EQUAL 0)
    wrong("its manifest is refused by ${HOST}: ${trouble}")
  elseif(trouble)
    message(NOTICE "${trouble}")
  endif()
endif()
