# The stand-in for the CUDA runtime.
set(EMULATED_RUNTIME_SOURCES
  runtime/activities.cpp
  runtime/cupti_api.cpp
  runtime/device_api.cpp
  runtime/errors_api.cpp
  runtime/faults.cpp
  runtime/fiber.cpp
  runtime/graphs_api.cpp
  runtime/grid.cpp
  runtime/launch_api.cpp
  runtime/machine.cpp
  runtime/memory.cpp
  runtime/memory_api.cpp
  runtime/shared_memory.cpp
  runtime/streams.cpp
  runtime/streams_api.cpp
  runtime/symbol_name.cpp)
list(TRANSFORM EMULATED_RUNTIME_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/)

# The stand-in for cuDNN.
set(EMULATED_CUDNN_SOURCES
  cudnn/attributes.cpp
  cudnn/compute.cpp
  cudnn/cudnn_api.cpp
  cudnn/descriptor.cpp
  cudnn/engines.cpp
  cudnn/finalize.cpp
  cudnn/graph.cpp
  cudnn/loops.cpp)
list(TRANSFORM EMULATED_CUDNN_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/)

# The stand-in for NCCL.
set(EMULATED_NCCL_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/nccl/nccl_api.cpp
  ${CMAKE_CURRENT_LIST_DIR}/nccl/transfers.cpp)
