add_library(sluice_observe STATIC observe/bus.cpp)
target_link_libraries(sluice_observe PUBLIC sluice_registry PRIVATE sluice_warnings Threads::Threads)

add_library(sluice_run STATIC
  run/checkpoint/checkpoint.cpp
  run/checkpoint/checkpoint_folder.cpp
  run/checkpoint/checkpoint_writer.cpp
  run/checkpoint/safetensors.cpp
  run/collective/exchange.cpp
  run/collective/exchange_forecast.cpp
  run/collective/joint_sums.cpp
  run/collective/local_shards.cpp
  run/collective/own_shards.cpp
  run/collective/sharing.cpp
  run/collective/vote.cpp
  run/membership/agreement.cpp
  run/network/executor.cpp
  run/network/fitting_size.cpp
  run/network/loss_scaler.cpp
  run/network/lost.cpp
  run/network/network.cpp
  run/network/overflow.cpp
  run/network/recorded.cpp
  run/network/running_backup.cpp
  run/network/schedule.cpp
  run/network/scores.cpp
  run/network/step_state.cpp
  run/network/tensor_reader.cpp
  run/network/thread_plan.cpp
  run/network/threads.cpp
  run/predict/colour_tags.cpp
  run/predict/picture.cpp
  run/predict/tiles.cpp
  run/replica/parameter_update.cpp
  run/replica/replica.cpp
  run/replica/replica_ending.cpp
  run/replica/replica_forward.cpp
  run/replica/replica_group.cpp
  run/train/bucket_tuner.cpp
  run/train/evaluation.cpp
  run/train/folder.cpp
  run/train/policy_choice.cpp
  run/train/policy_rounds.cpp
  run/train/scaling_report.cpp
  run/train/scaling_verdict.cpp
  run/train/session.cpp
  run/train/signals.cpp
  run/train/step_driver.cpp
  run/train/step_shares.cpp
  run/train/trainer.cpp
  run/train/trainer_resuming.cpp
  run/train/trainer_saving.cpp
  run/train/trainer_telling.cpp
  run/train/training_replicas.cpp
  run/upload/batch_feed.cpp
  run/upload/batch_pieces.cpp
  run/upload/batch_stage.cpp
  run/upload/held_parts.cpp
  run/weights/gradient_backup.cpp
  run/weights/initializers.cpp
  run/weights/optimizer_states.cpp
  run/weights/rounded_copies.cpp
  run/weights/weight_average.cpp
  run/weights/weights.cpp
  run/weights/whole_states.cpp)
target_link_libraries(sluice_run PUBLIC sluice_plan sluice_data sluice_observe
                                 PRIVATE sluice_file_kinds sluice_warnings ${CMAKE_DL_LIBS} nlohmann_json::nlohmann_json JPEG::JPEG PNG::PNG)
