add_library(sluice_plan STATIC
  plan/graph.cpp plan/kernels.cpp plan/listing.cpp plan/memory.cpp plan/plan.cpp plan/toolbox.cpp)
target_link_libraries(sluice_plan PUBLIC sluice_config sluice_registry PRIVATE sluice_warnings)
