add_library(sluice_observe STATIC observe/bus.cpp)
target_link_libraries(sluice_observe PUBLIC sluice_registry PRIVATE sluice_warnings Threads::Threads)

add_library(sluice_run STATIC
  run/agreement.cpp run/batch_feed.cpp run/batch_pieces.cpp run/batch_stage.cpp run/bucket_tuner.cpp run/checkpoint.cpp run/checkpoint_folder.cpp run/checkpoint_writer.cpp run/colour_tags.cpp run/evaluation.cpp
  run/exchange.cpp run/exchange_forecast.cpp run/executor.cpp run/fitting_size.cpp run/folder.cpp run/gradient_backup.cpp run/held_parts.cpp run/initializers.cpp run/joint_sums.cpp run/local_shards.cpp run/lost.cpp run/loss_scaler.cpp run/network.cpp
  run/overflow.cpp run/own_shards.cpp run/parameter_update.cpp run/picture.cpp run/policy_choice.cpp run/policy_rounds.cpp run/recorded.cpp run/replica.cpp run/replica_ending.cpp run/replica_forward.cpp run/replica_group.cpp
  run/running_backup.cpp run/safetensors.cpp run/scaling_report.cpp run/scaling_verdict.cpp run/schedule.cpp run/scores.cpp run/session.cpp run/sharing.cpp run/signals.cpp run/step_driver.cpp run/step_shares.cpp run/step_state.cpp run/tensor_reader.cpp
  run/thread_plan.cpp run/threads.cpp run/tiles.cpp run/trainer.cpp run/trainer_resuming.cpp run/trainer_saving.cpp run/trainer_telling.cpp run/training_replicas.cpp run/vote.cpp run/weights.cpp run/whole_states.cpp)
target_link_libraries(sluice_run PUBLIC sluice_plan sluice_data sluice_observe
                                 PRIVATE sluice_file_kinds sluice_warnings ${CMAKE_DL_LIBS} nlohmann_json::nlohmann_json JPEG::JPEG PNG::PNG)
