# Makes CUDA a language of the folder that includes it, and finds the toolkit's libraries. SLUICE_CUDA tells whether there
# is a toolkit.
include(CheckLanguage)
check_language(CUDA)
set(SLUICE_CUDA OFF)
if(CMAKE_CUDA_COMPILER)
  set(SLUICE_CUDA ON)
  # Code for sm_80 and sm_90, and PTX for what comes later.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
  endif()
  enable_language(CUDA)
  foreach(kind STANDARD EXTENSION)  # CMake 3.25 does not know that this compiler takes C++20
    if(NOT CMAKE_CUDA20_${kind}_COMPILE_OPTION)
      set(CMAKE_CUDA20_${kind}_COMPILE_OPTION -std=c++20)
    endif()
  endforeach()
  find_package(CUDAToolkit REQUIRED)
endif()
