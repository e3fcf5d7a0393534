# Builds the packages, and checks their contents and dependencies.
cmake_minimum_required(VERSION 3.25)
find_program(cpack cpack REQUIRED)
file(GLOB older ${BUILD}/packages/*.deb)
if(older)
  file(REMOVE ${older})
endif()
execute_process(COMMAND ${cpack} --config ${BUILD}/CPackConfig.cmake WORKING_DIRECTORY ${BUILD}
                OUTPUT_VARIABLE output ERROR_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)

# read_package(NAME) sets `contents` to the paths of the package, one per line, and `fields` to its control fields.
macro(read_package name)
  file(GLOB file ${BUILD}/packages/${name}_${VERSION}_*.deb)
  execute_process(COMMAND dpkg-deb --contents ${file} OUTPUT_VARIABLE contents COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND dpkg-deb --field ${file} OUTPUT_VARIABLE fields COMMAND_ERROR_IS_FATAL ANY)
endmacro()

function(expect text)
  foreach(part IN LISTS ARGN)
    if(NOT text MATCHES "${part}")
      message(SEND_ERROR "'${part}' is not in\n${text}")
    endif()
  endforeach()
endfunction()

function(expect_not text)
  foreach(part IN LISTS ARGN)
    if(text MATCHES "${part}")
      message(SEND_ERROR "'${part}' is in\n${text}")
    endif()
  endforeach()
endfunction()

read_package(sluice)
expect("${contents}" "-rwxr-xr-x root/root [^\n]* ./usr/lib/[^\n]*sluice/host\n" " ./usr/bin/sluice -> ../lib/[^\n]*sluice/host\n"
       "-rw-r--r-- root/root [^\n]* ./usr/${PLUGIN_DIR}/sluice_reference.so\n" " ./usr/share/sluice/pipelines/deblur.toml\n"
       " ./usr/share/doc/sluice/copyright\n" " ./usr/share/man/man1/sluice.1.gz\n")
expect_not("${contents}" "\\.hpp\n" "cmake" "cudnn" "nccl" "multi_worker" "tests")
expect("${fields}" "Depends:[^\n]*libc6[^\n]*libpng")
expect_not("${fields}" "Depends:[^\n]*(cuda|cudnn|nccl|openmpi|sluice)")

read_package(sluice-dev)
expect("${contents}" " ./usr/include/sluice/plugin.h\n" " ./usr/include/sluice/kind/kernel.h\n" " ./usr/include/sluice/sdk/plugin.hpp\n"
       " ./usr/share/cmake/Sluice/SluiceConfig.cmake\n" " ./usr/share/cmake/Sluice/SluicePlugin.cmake\n"
       " ./usr/share/cmake/Sluice/sluice.map\n" " ./usr/share/pkgconfig/sluice.pc\n"
       " ./usr/share/sluice/template/layer/rust/src/lib.rs\n" " ./usr/share/sluice/template/any/c/CMakeLists.txt\n"
       " ./usr/share/doc/sluice-dev/building.md\n" " ./usr/share/doc/sluice-dev/checking.md\n"
       " ./usr/share/doc/sluice-dev/kinds/layer.md\n")
expect_not("${contents}" "\\.so\n" "/bin/")
expect("${fields}" "Recommends: sluice \\(= ${VERSION}\\)")
if(PLUGIN_DIR STREQUAL lib/sluice/plugins)
  expect("${fields}" "Architecture: all")
endif()

# Each of these packages exists only if the build has its plugin.
if(EXISTS ${BUILD}/${PLUGIN_DIR}/sluice_multi_worker.so)
  read_package(sluice-mpi)
  expect("${contents}" " ./usr/${PLUGIN_DIR}/sluice_multi_worker.so\n")
  expect("${fields}" "Depends:[^\n]*sluice \\(= ${VERSION}\\)" "Depends:[^\n]*libopenmpi")
endif()
if(EXISTS ${BUILD}/${PLUGIN_DIR}/sluice_cudnn.so)
  read_package(sluice-cuda)
  expect("${contents}" " ./usr/${PLUGIN_DIR}/sluice_cudnn.so\n")
  expect("${fields}" "Depends: sluice \\(= ${VERSION}\\)" "Recommends: libcudnn9")
  expect_not("${fields}" "Depends:[^\n]*(cudnn|nccl)")
endif()
