# Sources of the plugin without its table of components. The tests compile them for the CPU, too (tests/emulated_cuda).
set(SLUICE_CUDNN_SOURCES
  conv/bias.cu
  conv/conv_kernel.cpp
  conv/geometry.cpp
  conv/margins.cu
  conv/pass.cpp
  conv/planner.cpp
  conv/trial.cu
  conv/weights.cu
  device/cuda_device.cpp
  graph/conv_graph.cpp
  graph/conv_problem.cpp
  graph/descriptor.cpp
  graph/engine.cpp
  graph/handle.cpp
  graph/plan.cpp
  kernels/activations.cu
  kernels/conv2d.cpp
  kernels/conv2d_transpose.cpp
  kernels/dense.cpp
  provider.cpp)
list(TRANSFORM SLUICE_CUDNN_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
