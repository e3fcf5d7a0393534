add_library(sluice_plan STATIC
  plan/buckets.cpp
  plan/graph.cpp
  plan/launch_work.cpp
  plan/memory_need.cpp
  plan/passes/arena.cpp
  plan/passes/arena_list.cpp
  plan/passes/autocast.cpp
  plan/passes/gradients.cpp
  plan/passes/identities.cpp
  plan/passes/in_place.cpp
  plan/passes/kernels.cpp
  plan/passes/lifetimes.cpp
  plan/passes/make_plan.cpp
  plan/passes/node_views.cpp
  plan/passes/parameters.cpp
  plan/passes/pass.cpp
  plan/passes/precision.cpp
  plan/passes/recompute.cpp
  plan/passes/verify.cpp
  plan/plan.cpp
  plan/plan_text.cpp
  plan/precision_text.cpp
  plan/recorded_work.cpp
  plan/single_value_norms.cpp
  plan/toolbox.cpp
  plan/upload_slots.cpp)
target_link_libraries(sluice_plan PUBLIC sluice_config sluice_registry PRIVATE sluice_warnings)
