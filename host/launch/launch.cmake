# `host launch` starts the processes of a training by mpirun and supervises them.
add_library(sluice_launch STATIC
  launch/channel.cpp
  launch/exit_deadline.cpp
  launch/final_report.cpp
  launch/launcher_connection.cpp
  launch/messages.cpp
  launch/mpirun.cpp
  launch/noted_exits.cpp
  launch/processes.cpp
  launch/rendezvous.cpp
  launch/signal_queue.cpp
  launch/stop_requests.cpp
  launch/supervisor.cpp)
target_link_libraries(sluice_launch PUBLIC sluice_base PRIVATE sluice_warnings Threads::Threads)
