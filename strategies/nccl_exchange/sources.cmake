# Also compiled against the stand-ins of tests/emulated_cuda.
set(SLUICE_NCCL_EXCHANGE_SOURCES
  communicator.cpp
  exchange.cpp
  marks.cpp
  narrow_sum.cu
  order.cpp
  replica_connection.cpp)
list(TRANSFORM SLUICE_NCCL_EXCHANGE_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
