# Debian packages, by `cpack --preset release`:
#   sluice       the program, its plugins for CPUs and its pipelines. dpkg-shlibdeps finds what they are linked with.
#   sluice-dev   what plugin authors need. Plugins are built without the program, and checked with it: hence Recommends.
#   sluice-mpi   the strategy of several processes, where the build has it: Open MPI is 50 packages that one process needs none of.
#   sluice-cuda  the plugins on CUDA, cuDNN and NCCL, where the build has any. Their libraries come from NVIDIA's repository,
#                its installer or a container, and dpkg cannot tell whether they are there: Recommends, and `sluice doctor`
#                says which one is missing.
set(packages runtime sdk)
if(TARGET sluice_multi_worker)
  list(APPEND packages mpi)
endif()
if(TARGET sluice_cudnn OR TARGET sluice_nccl_exchange)
  list(APPEND packages cuda)
  find_package(CUDAToolkit REQUIRED)
endif()
set(CPACK_PACKAGE_CONTACT "The Sluice authors <sluice@localhost>" CACHE STRING "Who maintains the packages: name and address")

# compress(NAME): NAME.in to packages/NAME.gz, the same bytes at any time.
function(compress name)
  configure_file(sdk/packages/${name}.in ${CMAKE_BINARY_DIR}/packages/${name} @ONLY)
  execute_process(COMMAND gzip -9nkf ${CMAKE_BINARY_DIR}/packages/${name} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
compress(changelog)
compress(sluice.1)
install(FILES ${CMAKE_BINARY_DIR}/packages/sluice.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME sluice)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "trains image models as fast as the hardware allows
A host loads plugins through a stable C ABI (data sources, transforms, layers,
kernels, optimizers, precision policies, strategies, observers) and composes
them into the training pipeline that a TOML file describes. It keeps the
device fed, and says what holds it back when it is not.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "sluice-cuda, sluice-dev, sluice-mpi")

set(CPACK_DEBIAN_SDK_PACKAGE_NAME sluice-dev)
set(CPACK_DEBIAN_SDK_DESCRIPTION "headers and CMake function for plugins of Sluice
The C ABI, the C++20 glue over it, the function sluice_add_plugin() with its
checks, found by CMake and by pkg-config, how to build a plugin by hand, and
the templates in C, C++ and Rust that `sluice new` begins a plugin from.")
if(SLUICE_PLUGIN_DIR STREQUAL lib/sluice/plugins)  # which it names, and which may also lie in a folder of the architecture
  set(CPACK_DEBIAN_SDK_PACKAGE_ARCHITECTURE all)
endif()
set(CPACK_DEBIAN_SDK_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_SDK_PACKAGE_RECOMMENDS "sluice (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_SDK_PACKAGE_SUGGESTS "cargo, cmake (>= 3.25), pkgconf | pkg-config")

set(CPACK_DEBIAN_MPI_PACKAGE_NAME sluice-mpi)
set(CPACK_DEBIAN_MPI_DESCRIPTION "trainings of Sluice by several processes
The strategy multi_worker: processes on one host or many train one model, and
exchange gradients by Open MPI. mpirun, `sluice launch` or srun starts them.")
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "sluice (= ${PROJECT_VERSION}), openmpi-bin")

set(CPACK_DEBIAN_CUDA_PACKAGE_NAME sluice-cuda)
set(CPACK_DEBIAN_CUDA_DESCRIPTION "plugins of Sluice for NVIDIA GPUs
The device cuda, its kernels and optimizers on cuDNN 9, and the strategies of
several GPUs on NCCL. They need NVIDIA's driver and libraries.")
set(CPACK_DEBIAN_CUDA_PACKAGE_SECTION contrib/science)
set(CPACK_DEBIAN_CUDA_PACKAGE_DEPENDS "sluice (= ${PROJECT_VERSION}), libc6, libgcc-s1, libstdc++6")
set(CPACK_DEBIAN_CUDA_PACKAGE_RECOMMENDS "libcudnn9-cuda-${CUDAToolkit_VERSION_MAJOR}, libnccl2")
set(CPACK_DEBIAN_CUDA_PACKAGE_SUGGESTS sluice-mpi)

foreach(package ${packages})
  string(TOUPPER ${package} upper)
  install(FILES sdk/packages/copyright ${CMAKE_BINARY_DIR}/packages/changelog.gz COMPONENT ${package}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sluice)
set(CPACK_PACKAGE_VENDOR "The Sluice authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "sluice built using CMake")  # CPack's default: any other comes before each package's own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL ${packages})
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
