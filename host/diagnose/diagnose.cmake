add_library(sluice_diagnose STATIC
  diagnose/evidence/evidence.cpp
  diagnose/evidence/turns.cpp
  diagnose/experiments/compute_topic.cpp
  diagnose/experiments/input_topic.cpp
  diagnose/experiments/map_edits.cpp
  diagnose/experiments/memory_topic.cpp
  diagnose/experiments/side_work_topic.cpp
  diagnose/experiments/topic.cpp
  diagnose/precision/magnitudes.cpp
  diagnose/precision/precision_report.cpp
  diagnose/precision/precision_trial.cpp
  diagnose/precision/tensor_reading.cpp
  diagnose/trial/contestant.cpp
  diagnose/trial/laboratory.cpp
  diagnose/trial/observation.cpp
  diagnose/trial/other_processes.cpp
  diagnose/trial/training_process.cpp
  diagnose/tune/knobs.cpp
  diagnose/tune/search.cpp
  diagnose/tune/tuning.cpp
  diagnose/verdict/diagnosis.cpp
  diagnose/verdict/diagnosis_text.cpp
  diagnose/verdict/investigation.cpp
  diagnose/verdict/remedy.cpp
  diagnose/verdict/verdict.cpp)
target_link_libraries(sluice_diagnose PUBLIC sluice_bench sluice_prepare sluice_history PRIVATE sluice_warnings nlohmann_json::nlohmann_json)
