# Sources of the plugin without its table of components. The tests compile them for the CPU, too (tests/emulated_cuda).
set(SLUICE_CUDNN_SOURCES
  device/cuda_device.cpp
  kernels/activations.cu
  provider.cpp)
list(TRANSFORM SLUICE_CUDNN_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
