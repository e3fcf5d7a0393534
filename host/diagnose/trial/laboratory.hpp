// Trains a pipeline and its variants in processes of their own, by turns.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "diagnose/evidence/facts.hpp"
#include "diagnose/evidence/variant.hpp"
#include "diagnose/trial/contestant.hpp"
#include "diagnose/trial/other_processes.hpp"
#include "diagnose/trial/scratch_folder.hpp"

namespace sluice::diagnose {

struct LaboratoryRequest {
    std::vector<std::string> program;  // the host's file and the options of its processes, as {"host", "--plugin", "X"}
    std::filesystem::path folder;      // for files of the trainings; empty
    std::filesystem::path checkpoint{};                // from which each training resumes; empty: they start anew
    int processes = 1;                                 // of each training, on this machine
    std::function<void(const std::string&)> progress;  // receives a text about the current work
    std::function<bool()> stops;                       // true: end the measurement now
};

class Laboratory {
public:
    Laboratory(const config::PipelineSpec& spec, LaboratoryRequest request);
    ~Laboratory();

    // Trains the pipeline for about so many seconds after its warm-up. Returns the folder of the run and that of its
    // measures. Throws the error of the training if it fails.
    struct Watched {
        std::filesystem::path run;
        std::filesystem::path measures;
        double began = 0.0;  // as now(), after the warm-up
        double ended = 0.0;
    };
    Watched watch(double seconds);
    // The time of an evaluation, from a training that evaluates soon. It ends after two of them, or after `most`
    // seconds.
    struct Evaluated {
        double seconds = 0.0;  // that the last one took; if none has ended, the time until now
        double input = 0.0;    // of these, waiting for validation data
    };
    Evaluated time_evaluation(double most);
    // From now on, each training makes `samples` samples before it is measured, so that its caches are full.
    // `repeated`: it makes only the first so many, again and again; 0: all. The baseline starts again.
    void fill_caches(double samples, std::int64_t repeated);

    // True if the measurements are to end now.
    [[nodiscard]] bool is_stopped() const { return request_.stops(); }

    // Changes that the pipeline and all its variants get from now on. The baseline starts again.
    void fix(std::vector<std::string> sets);
    // The next comparison has a new process of the pipeline as it is, whose memory lies at other places.
    void renew_baseline() { baseline_.reset(); }

    // From now on, turns last at least so many seconds, within limits of its own.
    void set_shortest_turn(double seconds) { shortest_turn_ = seconds; }

    // How long a comparison lasts.
    struct Effort {
        double seconds = 4.0;                                    // of each training at least
        double most = 14.0;                                      // of each training, unless all ratios are sure before
        double until = std::numeric_limits<double>::infinity();  // as now(), when it ends at the latest
    };
    // Trains these variants by turns with the pipeline.
    std::vector<Result> compare(const std::vector<Variant>& variants, const Effort& effort);
    // Other processes that used the cores since this object was made.
    [[nodiscard]] std::vector<OtherProcess> others() const { return others_.found(sessions_); }

private:
    void copy_checkpoint(const std::filesystem::path& run) const;
    std::unique_ptr<Contestant> start(const Variant& variant);
    std::unique_ptr<Contestant> start_warm(const Variant& variant, const char* complaint);
    std::vector<std::unique_ptr<Contestant>> start_all(std::vector<Result>& results, double until);
    void note_exits(Contestant& base, const std::vector<std::unique_ptr<Contestant>>& running,
                    std::vector<Result>& results);
    [[nodiscard]] Contestant::WarmUp warm_up_of(const Contestant& training, const Variant& variant) const;
    void record_window(Contestant& training, const std::filesystem::path& run) const;
    const std::filesystem::path& memory_folder();
    Contestant& baseline();
    void take_turns(Contestant& base, const std::vector<std::unique_ptr<Contestant>>& running,
                    const std::vector<std::size_t>& chosen, double seconds, bool is_reversed) const;

    const config::PipelineSpec& spec_;
    LaboratoryRequest request_;
    std::filesystem::path pipeline_;
    std::optional<ScratchFolder> memory_folder_;
    std::vector<std::string> fixed_;
    std::vector<std::string> filling_;  // the settings of fill_caches()
    double filling_samples_ = 0.0;
    std::unique_ptr<Contestant> baseline_;
    std::unique_ptr<Contestant> watched_;  // keeps the files of the training that was watched
    int started_ = 0;
    double shortest_turn_ = 0.0;
    OtherProcesses others_;
    std::vector<pid_t> sessions_;  // of all trainings
};

}  // namespace sluice::diagnose
